/**
 * A model that follows a script, on loopback: the Messages API of Anthropic (2023-06-01), as much of it as a program needs
 * for a turn. What it does stands in the last prompt, in the words of our demo runtime.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Json, JsonObject } from '../contract/vocabulary.js';
import { arr, isObject, obj, parseObject, str } from '../text/json.js';

export interface FakeModel {
  url: string;
  close(): Promise<void>;
}

/** What it answers with: text, calls of tools, or nothing; `hang` never ends, `auth` refuses the key. */
type Answer =
  | { kind: 'text'; text: string }
  | { kind: 'tools'; calls: { name: string; input: JsonObject }[] }
  | { kind: 'hang' }
  | { kind: 'auth' };

/** Bytes of a request. */
const MOST_BODY = 16 * 1024 * 1024;
const CALL = /(?:^|\n| & )(?:tools? )?([a-z_]+) (\{[^}]*\})/g;
const WORD = /(?:^|\n)(say [^\n]*|tools? [a-z_]+ \{[^\n]*|hang|auth|silent)\s*(?:$|\n|<)/;

/** The text parts of a message's content. */
function textsOf(content: Json | undefined): string[] {
  if (typeof content === 'string') return [content];
  return Array.isArray(content) ? content.flatMap((part) => str(part, 'text') ?? []) : [];
}

/** What tools were answered since the last prompt, and the prompt. */
function lastTurn(messages: readonly Json[]): { prompt: string; results: string[] } {
  const results: string[] = [];
  for (const message of [...messages].reverse()) {
    if (str(message, 'role') !== 'user') continue;
    const parts = arr(message, 'content') ?? [];
    const answered = parts.filter((part) => str(part, 'type') === 'tool_result');
    if (answered.length > 0) {
      const said = answered.map((part) => str(part, 'content') ?? textsOf(obj(part)?.['content']).join(''));
      results.unshift(...said);
      continue;
    }
    const prompt = textsOf(obj(message)?.['content']).findLast((text) => WORD.test(text));
    if (prompt !== undefined) return { prompt, results };
  }
  return { prompt: '', results };
}

export function answerTo(request: JsonObject): Answer {
  const { prompt, results } = lastTurn(arr(request, 'messages') ?? []);
  const word = WORD.exec(prompt)?.[1] ?? 'say ok';
  if (word === 'hang') return { kind: 'hang' };
  if (word === 'auth') return { kind: 'auth' };
  if (word === 'silent') return { kind: 'text', text: '' };
  if (word.startsWith('say ')) return { kind: 'text', text: word.slice(4).trim() };
  const steps = word.split(' then ');
  const step = steps[results.length === 0 ? 0 : Math.min(results.length, steps.length)];
  if (step === undefined) return { kind: 'text', text: `The tools said: ${results.join(' and ')}` };
  const offered = (arr(request, 'tools') ?? []).flatMap((tool) => str(tool, 'name') ?? []);
  const calls = [...step.matchAll(CALL)].flatMap(([, name = '', input = '']) => {
    const found = offered.find((one) => one === name || one.endsWith(`__${name}`));
    return found === undefined ? [] : [{ name: found, input: parseObject(input) ?? {} }];
  });
  return calls.length > 0 ? { kind: 'tools', calls } : { kind: 'text', text: 'There is no such tool.' };
}

function stream(response: ServerResponse, answer: Extract<Answer, { kind: 'text' | 'tools' }>, model: string): void {
  const say = (type: string, fields: JsonObject) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  const usage = { input_tokens: 1000, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  say('message_start', {
    message: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model, content: [] },
      ...{ stop_reason: null, stop_sequence: null, usage },
    },
  });
  const blocks: [JsonObject, JsonObject][] =
    answer.kind === 'text'
      ? [
          [
            { type: 'text', text: '' },
            { type: 'text_delta', text: answer.text },
          ],
        ]
      : answer.calls.map(({ name, input }, index) => [
          { type: 'tool_use', id: `toolu_${Date.now()}_${index}`, name, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(input) },
        ]);
  const shown = answer.kind === 'text' && answer.text === '' ? [] : blocks;
  shown.forEach(([content_block, delta], index) => {
    say('content_block_start', { index, content_block });
    say('content_block_delta', { index, delta });
    say('content_block_stop', { index });
  });
  const stop_reason = answer.kind === 'text' ? 'end_turn' : 'tool_use';
  say('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 34 } });
  say('message_stop', {});
  response.end();
}

async function read(request: IncomingMessage): Promise<JsonObject | undefined> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MOST_BODY) return undefined;
  }
  return parseObject(text);
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const json = (status: number, value: JsonObject) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const body = await read(request);
  const path = (request.url ?? '').split('?')[0] ?? '';
  if (path.endsWith('/count_tokens')) return json(200, { input_tokens: 1000 });
  if (!path.endsWith('/messages') || !isObject(body)) return json(200, { data: [], has_more: false });
  const answer = answerTo(body);
  if (answer.kind === 'auth') {
    const error = { type: 'authentication_error', message: 'invalid x-api-key' };
    return json(401, { type: 'error', error });
  }
  // A turn that hangs is ended by whoever waits for it.
  if (answer.kind === 'hang') return;
  const model = str(body, 'model') ?? 'fake';
  if (body['stream'] === true) return stream(response, answer, model);
  const text = answer.kind === 'text' ? answer.text : 'ok';
  const usage = { input_tokens: 10, output_tokens: 1 };
  json(200, {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model, usage },
    ...{ content: [{ type: 'text', text }], stop_reason: 'end_turn', stop_sequence: null },
  });
}

export async function startFakeModel(): Promise<FakeModel> {
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
