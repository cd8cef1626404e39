import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startModel } from './server.js';
import { NO_TOOL, TEXT, UNICODE } from './texts.js';
import type { JsonObject } from './types.js';

const prompt = (order: string): JsonObject[] => [{ role: 'user', content: `SCENARIO:${order}` }];

/** One request, to a server of its own. */
async function ask(path: string, body: JsonObject): Promise<{ status: number; headers: Headers; text: string }> {
  const model = await startModel();
  try {
    const response = await fetch(model.url + path, { method: 'POST', body: JSON.stringify(body) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } finally {
    await model.close();
  }
}

/** The JSON of every server-sent event. */
function events(text: string): Record<string, never>[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)));
}

const shell = { name: 'bash', parameters: { type: 'object', properties: { command: { type: 'string' } } } };

test('Anthropic Messages: text comes in pieces and adds up', async () => {
  const { text } = await ask('/v1/messages', { model: 'm', stream: true, messages: prompt('text') });
  const deltas = events(text).flatMap((event) => event['delta']?.['text'] ?? []);
  assert.ok(deltas.length >= 4);
  assert.is(deltas.join(''), TEXT);
});

test('Chat Completions: the same, streamed and whole', async () => {
  const body = { model: 'm', messages: prompt('text') };
  const streamed = await ask('/v1/chat/completions', { ...body, stream: true });
  const deltas = events(streamed.text).flatMap((event) => event['choices']?.[0]?.['delta']?.['content'] ?? []);
  assert.is(deltas.join(''), TEXT);
  const whole = JSON.parse((await ask('/v1/chat/completions', body)).text);
  assert.is(whole.choices[0].message.content, TEXT);
  assert.is(whole.usage.prompt_tokens, 1200);
});

test('Responses: deltas, the finished item and the usage agree', async () => {
  const input = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'SCENARIO:text' }] }];
  const { text } = await ask('/v1/responses', { model: 'm', stream: true, input });
  const all = events(text);
  const deltas = all.filter((event) => event['type'] === 'response.output_text.delta').map((event) => event['delta']);
  assert.is(deltas.join(''), TEXT);
  const last: Record<string, { usage: { input_tokens: number } }> | undefined = all.at(-1);
  assert.is(last?.['response']?.usage.input_tokens, 1200);
});

test('Gemini: line separators are escaped inside the stream and arrive whole', async () => {
  const contents = [{ role: 'user', parts: [{ text: 'SCENARIO:unicode' }] }];
  const { text } = await ask('/v1beta/models/m:streamGenerateContent?alt=sse', { contents });
  assert.not.match(text, /\u2028|\u2029/);
  const parts = events(text).flatMap((event) => event['candidates']?.[0]?.['content']?.['parts']?.[0]?.['text'] ?? []);
  assert.is(parts.join(''), UNICODE);
});

test('a native shell is called with the command, and its result is quoted', async () => {
  const body = { model: 'm', messages: prompt('shell echo hi'), tools: [{ type: 'function', function: shell }] };
  const first = JSON.parse((await ask('/v1/chat/completions', body)).text).choices[0].message;
  assert.equal(JSON.parse(first.tool_calls[0].function.arguments), { command: 'echo hi' });
  const result = { role: 'tool', tool_call_id: first.tool_calls[0].id, content: 'hi there' };
  const second = JSON.parse(
    (await ask('/v1/chat/completions', { ...body, messages: [...body.messages, first, result] })).text,
  );
  assert.is(second.choices[0].message.content, 'Tool said: hi there');
});

test('without a matching tool the model says so', async () => {
  const { text } = await ask('/v1/messages', { model: 'm', messages: prompt('tool create_nodes {}') });
  assert.is(JSON.parse(text).content[0].text, NO_TOOL);
});

test('a tool that stands in the prompt is called in the prompt’s own form', async () => {
  const described = JSON.stringify({ name: 'look_up', description: 'x', parameters: { type: 'object' } });
  const content = `Tools:\n${described}\n\`\`\`tool_call:n1\n\`\`\`\n---\nSCENARIO:tool look_up {"word":"a"}`;
  const { text } = await ask('/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content }] });
  const said: string = JSON.parse(text).choices[0].message.content;
  assert.match(said, '\n```tool_call:n1\n{"name":"look_up","arguments":{"word":"a"}}\n```');
});

test('errors have the shape of their vendor', async () => {
  const anthropic = await ask('/v1/messages', { model: 'm', messages: prompt('429') });
  assert.is(anthropic.status, 429);
  assert.is(anthropic.headers.get('retry-after'), '1');
  assert.is(JSON.parse(anthropic.text).error.type, 'rate_limit_error');
  const openai = await ask('/v1/chat/completions', { model: 'm', messages: prompt('quota') });
  assert.is(JSON.parse(openai.text).error.code, 'insufficient_quota');
  const contents = [{ role: 'user', parts: [{ text: 'SCENARIO:badkey' }] }];
  const gemini = await ask('/v1beta/models/m:generateContent', { contents });
  assert.is(gemini.status, 400);
  assert.is(JSON.parse(gemini.text).error.details[0].reason, 'API_KEY_INVALID');
});

test('a broken answer breaks once, then comes whole', async () => {
  const model = await startModel();
  const body = JSON.stringify({ model: 'm', stream: true, messages: prompt('drop') });
  const once = async (): Promise<string> => (await fetch(`${model.url}/v1/messages`, { method: 'POST', body })).text();
  await once().then(
    () => assert.unreachable('the first answer should break off'),
    () => undefined,
  );
  const text = await once();
  assert.match(text, 'message_stop');
  assert.equal(
    model.log.entries.map((entry) => entry.ending),
    ['drop', 'stop'],
  );
  await model.close();
});

test('keys are masked in the log', async () => {
  const model = await startModel();
  const headers = { authorization: 'Bearer secret-of-the-test', 'x-api-key': 'secret-of-the-test' };
  await (await fetch(`${model.url}/v1/models`, { headers })).text();
  assert.not.match(JSON.stringify(model.log.entries), 'secret-of-the-test');
  await model.close();
});

test.run();
