/** Real servers and their callers, for tests. */

import { connect } from 'node:net';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { parseObject } from '../../src/text/json.js';
import { type Place, place, type Running, run } from '../contract/cli.js';

export interface Server {
  running: Running;
  place: Place;
  /** What stderr announced: the address, or the path. */
  at: string;
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; stderr: string }>;
}

/** Starts `turnout agent serve ARGS` and waits until it listens. */
export async function serve(args: readonly string[], where: Place = place()): Promise<Server> {
  const running = run(['agent', 'serve', ...args], { place: where });
  const at = await new Promise<string>((resolve, reject) => {
    let told = '';
    running.child.stderr?.on('data', (text: string) => {
      told += text;
      const found = /listening on (?:unix:(.+)|(http:\/\/\S+)\/v1\/agent)\n/.exec(told);
      if (found) resolve(found[1] ?? found[2] ?? '');
    });
    void running.ended.then(({ stderr }) => reject(new Error(`ended: ${stderr}`)));
  });
  return {
    running,
    place: where,
    at,
    async stop(signal = 'SIGTERM') {
      running.child.kill(signal);
      running.watch();
      return running.ended;
    },
  };
}

export const lines = (text: string): JsonObject[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseObject(line) ?? {});

export const eventsOf = (answer: readonly JsonObject[]): JsonObject[] =>
  answer.flatMap(({ event }) => (typeof event === 'object' && event !== null && !Array.isArray(event) ? [event] : []));

/** One request over HTTP, its whole answer. */
export async function ask(at: string, request: JsonObject, token = 's3cret'): Promise<JsonObject[]> {
  const response = await fetch(`${at}/v1/agent`, {
    method: 'POST',
    body: JSON.stringify(request),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  if (response.status !== 200) throw new Error(`status ${response.status}: ${await response.text()}`);
  return lines(await response.text());
}

/** Lines over a unix socket; `onLine` may send more. */
export function talkTo(
  path: string,
  requests: readonly JsonObject[],
  onLine: (line: JsonObject, send: (request: JsonObject) => void) => void = () => {},
): Promise<JsonObject[]> {
  const socket = connect(path);
  const send = (request: JsonObject) => void socket.write(`${JSON.stringify(request)}\n`);
  for (const request of requests) send(request);
  return new Promise((resolve, reject) => {
    const seen: JsonObject[] = [];
    let rest = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      for (const line of lines(parts.join('\n'))) {
        seen.push(line);
        onLine(line, send);
      }
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(seen));
  });
}
