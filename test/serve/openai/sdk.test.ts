// limit: 120s
// The SDK of OpenAI against the server, with turns of the demo runtime.
import { join } from 'node:path';
import OpenAI from 'openai';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { leftovers, place } from '../../contract/cli.js';
import { type Server, serve } from '../server.js';

const TOKEN = 's3cret-s3cret-s3cret';
const ARGS = ['--transport', 'http', '--port', '0', '--store', 'memory', '--auth-token', TOKEN];

async function withClient(work: (client: OpenAI, server: Server) => Promise<void>): Promise<void> {
  const server = await serve(ARGS);
  try {
    await work(new OpenAI({ baseURL: `${server.at}/v1`, apiKey: TOKEN }), server);
  } finally {
    await server.stop();
    assert.equal(await leftovers(server.place.mark), []);
  }
}

const messages = (content: string) => [{ role: 'user' as const, content }];

/** How many turns the server was asked for. */
async function turnsOf({ at }: Server): Promise<number> {
  const response = await fetch(`${at}/v1/agent`, {
    method: 'POST',
    body: '{"op":"runs","limit":1000}',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
  });
  const result = (await response.text()).split('\n').find((line) => line.includes('"kind":"result"'));
  return JSON.parse(result ?? '{}').runs.length;
}

test('completions, whole and as a stream', () =>
  withClient(async (client) => {
    const whole = await client.chat.completions.create({ model: 'demo', messages: messages('say hello there') });
    assert.is(whole.choices[0]?.message.content, 'hello there');
    assert.is(whole.choices[0]?.finish_reason, 'stop');
    assert.ok((whole.usage?.total_tokens ?? 0) > 0);
    const stream = client.chat.completions.stream({
      model: 'demo',
      messages: messages('think then say hello there'),
      stream_options: { include_usage: true },
    });
    const streamed = await stream.finalChatCompletion();
    assert.match(streamed.choices[0]?.message.content ?? '', /hello there/);
    assert.ok((streamed.usage?.total_tokens ?? 0) > 0);
    let text = '';
    const plain = await client.chat.completions.create({ model: 'demo', messages: messages('slow 3'), stream: true });
    for await (const chunk of plain) text += chunk.choices[0]?.delta.content ?? '';
    assert.ok(text.length > 0);
    const models = await client.models.list();
    assert.ok(models.data.some(({ id }) => id === 'turnout'));
    assert.is((await client.models.retrieve('demo/demo-1')).owned_by, 'demo');
  }));

test('a conversation goes on', () =>
  withClient(async (client) => {
    const first = await client.chat.completions.create({ model: 'demo', messages: messages('say one') });
    const content = first.choices[0]?.message.content ?? '';
    const said = [...messages('say one'), { role: 'assistant' as const, content }, ...messages('remember')];
    const second = await client.chat.completions.create({ model: 'demo', messages: said });
    assert.match(second.choices[0]?.message.content ?? '', /say one/);
  }));

test('a schema for the answer is parsed', () =>
  withClient(async (client) => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    const answer = await client.chat.completions.create({
      model: 'demo',
      messages: messages('json {"a":1}'),
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
    });
    assert.equal(JSON.parse(answer.choices[0]?.message.content ?? ''), { a: 1 });
  }));

const add = {
  type: 'function' as const,
  function: {
    name: 'add',
    description: 'adds a and b',
    parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    parse: (text: string): { a: number; b: number } => JSON.parse(text),
    function: ({ a, b }: { a: number; b: number }) => String(a + b),
  },
};
const CALLS = 'tools add {"a":1,"b":2} & add {"a":20,"b":22}';

test('tools of the client run in the client, in one turn of the agent', () =>
  withClient(async (client, server) => {
    for (const stream of [false, true]) {
      const asked = { model: 'demo', messages: messages(CALLS), tools: [add] };
      const run = stream
        ? client.chat.completions.runTools({ ...asked, stream: true })
        : client.chat.completions.runTools(asked);
      assert.match((await run.finalContent()) ?? '', /add answered: 3\nadd answered: 42/);
    }
    assert.is(await turnsOf(server), 2);
  }));

test('responses, whole and as a stream', () =>
  withClient(async (client) => {
    const whole = await client.responses.create({ model: 'demo', input: 'say hello there' });
    assert.is(whole.output_text, 'hello there');
    const input = 'think then shell echo hi then say hello there';
    const streamed = await client.responses.stream({ model: 'demo', input, store: true }).finalResponse();
    assert.match(streamed.output_text, /hello there/);
    assert.ok(streamed.output.some(({ type }) => type === 'mcp_call'));
    assert.is((await client.responses.retrieve(streamed.id)).output_text, streamed.output_text);
    const next = await client.responses.create({ model: 'demo', input: 'remember', previous_response_id: whole.id });
    assert.match(next.output_text, /say hello there/);
    const later = await client.responses.create({ model: 'demo', input: 'hang', background: true });
    assert.is((await client.responses.cancel(later.id)).status, 'cancelled');
    await client.responses.delete(whole.id);
    const error = await client.responses.retrieve(whole.id).catch((cause) => cause);
    assert.is(error.status, 404);
  }));

test('a server that was killed in between says that the call is over', async () => {
  const where = place();
  const args = ARGS.map((one) => (one === 'memory' ? join(where.cwd, 'server.db') : one));
  const first = await serve(args, where);
  const before = new OpenAI({ baseURL: `${first.at}/v1`, apiKey: TOKEN });
  const asked = messages('tool add {"a":1,"b":2}');
  const tools = [{ type: 'function' as const, function: { name: 'add' } }];
  const answer = await before.chat.completions.create({ model: 'demo', messages: asked, tools });
  const message = answer.choices[0]?.message;
  assert.ok(message);
  await first.stop('SIGKILL');
  const second = await serve(args, where);
  try {
    const after = new OpenAI({ baseURL: `${second.at}/v1`, apiKey: TOKEN });
    const result = { role: 'tool' as const, tool_call_id: message.tool_calls?.[0]?.id ?? '', content: '3' };
    const said = [...asked, message, result];
    const error = await after.chat.completions.create({ model: 'demo', messages: said, tools }).catch((cause) => cause);
    assert.equal([error.status, error.code], [410, 'tool_call_expired']);
  } finally {
    await second.stop();
    assert.equal(await leftovers(where.mark), []);
  }
});

test('whatever fails is asked for once', () =>
  withClient(async (client, server) => {
    const failures = { auth: 424, quota: 402, 'model-unavailable': 404, silent: 424, 'crash 3': 424 };
    let turns = 0;
    for (const [prompt, status] of Object.entries(failures)) {
      for (const stream of [false, true]) {
        turns += 1;
        const error = await client.chat.completions
          .create({ model: 'demo', messages: messages(prompt), stream })
          .then(async (answer) => {
            if (Symbol.asyncIterator in answer) for await (const _ of answer);
            return null;
          })
          .catch((cause: unknown) => cause);
        assert.instance(error, OpenAI.APIError, prompt);
        // Behind the first words it is a frame of the stream, which has no status.
        if (!(prompt === 'crash 3' && stream)) assert.is((error as { status?: number }).status, status, prompt);
        assert.is(await turnsOf(server), turns, `${prompt} ${stream}`);
      }
    }
  }));

test.run();
