import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggedRequest } from './request-log.js';
import type { Asked, DialectPort, Reply } from './types.js';

/** Writes one answer in the dialect of the request: streamed piece by piece, or whole. */
export async function speak(
  response: ServerResponse,
  port: DialectPort,
  asked: Asked,
  reply: Reply,
  id: number,
  entry: LoggedRequest,
): Promise<void> {
  if (reply.kind === 'failure') {
    const { status, headers, body } = port.failure(reply.failure, asked);
    entry.status = status;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
    return;
  }
  entry.status = 200;
  entry.ending = reply.ending;
  if (!asked.stream) {
    if (reply.ending === 'hang') return waitForEnd(response);
    if (reply.ending === 'drop') {
      response.destroy();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(port.whole(asked, reply, id)));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const voice = port.voice(asked, id);
  const send = async (text: string): Promise<boolean> => {
    if (response.destroyed) return false;
    if (text !== '' && !response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    if (reply.pause > 0) await sleep(reply.pause);
    return !response.destroyed;
  };
  const steps = [
    () => voice.begin(),
    ...reply.thinking.map((delta) => () => voice.thinking(delta)),
    ...reply.text.map((delta) => () => voice.text(delta)),
    ...reply.calls.map((call, n) => () => voice.call(call, `lab_${id}_${n}`)),
  ];
  for (const step of steps) {
    if (!(await send(step()))) {
      entry.ending = 'left';
      return;
    }
  }
  if (reply.ending === 'hang') return waitForEnd(response);
  if (reply.ending === 'drop') {
    response.destroy();
    return;
  }
  if (reply.ending === 'cut') response.end();
  else response.end(voice.end(reply.ending, reply.calls.length));
}

async function waitForEnd(response: ServerResponse): Promise<void> {
  if (!response.destroyed) await once(response, 'close');
}
