import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import claude from '../../runners/claude/index.js';
import codex from '../../runners/codex/index.js';
import { type Broker, openBroker } from '../../src/exec/broker/open.js';
import { usageReader } from '../../src/exec/broker/usage.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { ledger } from '../../src/turn/ledger.js';
import { wired } from '../../src/turn/wire.js';
import { request as turnRequest } from '../runners/drive.js';

const test = suite('broker');

const KEY = 'sk-ant-the-real-key-0123456789';
const STREAM = [
  {
    type: 'message_start',
    message: { model: 'm-1', usage: { input_tokens: 70, cache_read_input_tokens: 30, output_tokens: 1 } },
  },
  { type: 'message_delta', usage: { output_tokens: 12 } },
]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');

interface Vendor {
  url: string;
  asked: IncomingMessage[];
}

async function withVendor(run: (vendor: Vendor) => Promise<void>): Promise<void> {
  const asked: IncomingMessage[] = [];
  const server = createServer((message, response) => {
    asked.push(message);
    message.resume();
    const known = message.headers['x-api-key'] === KEY || message.headers.authorization === `Bearer ${KEY}`;
    response.writeHead(known ? 200 : 401, { 'content-type': 'text/event-stream' });
    response.end(STREAM);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await run({ url: `http://127.0.0.1:${port}/base`, asked });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function opened(url: string, changes: Partial<TurnRequest> = {}): Promise<Broker> {
  const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url };
  const broker = await openBroker(claude, turnRequest(changes), env);
  if ('refuse' in broker) throw new Error(broker.refuse);
  return broker;
}

function ask(address: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { method: 'POST', headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end('{}');
  });
}

test('the token opens the endpoint of its turn, and the vendor sees the key', () =>
  withVendor(async ({ url, asked }) => {
    const broker = await opened(url);
    try {
      const address = `${broker.set['ANTHROPIC_BASE_URL']}/v1/messages?beta=true`;
      const token = broker.set['ANTHROPIC_API_KEY'] ?? '';
      assert.not.match(JSON.stringify(broker.set), /real-key/);
      assert.equal(await ask(address, { 'x-api-key': token }), { status: 200, text: STREAM });
      assert.is((await ask(address, { authorization: `Bearer ${token}` })).status, 200);
      assert.equal(
        asked.map((one) => one.url),
        ['/base/v1/messages?beta=true', '/base/v1/messages?beta=true'],
      );
      assert.is((await ask(address, { 'x-api-key': 'turnout-guess' })).status, 401);
      assert.is((await ask(address, {})).status, 401);
      const { origin } = new URL(address);
      for (const path of ['/other', '/base/../other', '//evil.example/base', '/base/%2e%2e/other'])
        assert.is((await ask(`${origin}${path}`, { 'x-api-key': token })).status, 404, path);
      assert.is(asked.length, 2);
    } finally {
      await broker.close();
    }
  }));

test('the environment of the program holds the key nowhere', async () => {
  const broker = await opened('http://127.0.0.1:1');
  const env = { ANTHROPIC_API_KEY: KEY, OTHER: `x ${KEY}`, ANTHROPIC_BASE_URL: 'http://x', PATH: '/bin' };
  assert.equal(broker.without(env), { PATH: '/bin' });
  await broker.close();
});

test('usage is what passed over the wire, and a budget holds after one answer', () =>
  withVendor(async ({ url, asked }) => {
    const broker = await opened(url, { budgetTokens: 100 });
    try {
      const heard: (string | null)[] = [];
      const answered = new Promise<void>((resolve) => broker.wire.listen(() => resolve()));
      broker.wire.listen((model) => heard.push(model));
      const address = `${broker.set['ANTHROPIC_BASE_URL']}/v1/messages`;
      const headers = { 'x-api-key': broker.set['ANTHROPIC_API_KEY'] ?? '' };
      await ask(address, headers);
      await answered;
      assert.equal(heard, ['m-1']);
      assert.equal(broker.wire.total(), { input: 100, output: 12, cached: 30, costUsd: null });
      const refused = await ask(address, headers);
      assert.is(refused.status, 403);
      assert.match(refused.text, /budget of 100 tokens/);
      assert.is(asked.length, 1);
      const told = wired(ledger(), broker.wire);
      told.spend('turn', { input: null, output: null, costUsd: 0.5 });
      assert.equal(told.totals(), { input_tokens: 100, output_tokens: 12, cached_tokens: 30, cost_usd: 0.5 });
    } finally {
      await broker.close();
    }
  }));

test('what a program reports itself is not counted twice', () => {
  const total = { input: 100, output: 12, cached: 30, costUsd: null };
  const own = wired(ledger(), { total: () => total, listen: () => undefined });
  own.spend('delta', { input: 90, output: 10, costUsd: null });
  assert.is(own.totals().input_tokens, 90);
  const late = wired(ledger(), { total: () => total, listen: () => undefined });
  assert.is(late.totals().input_tokens, 100);
  late.spend('delta', { input: 90, output: 10, costUsd: 1 });
  assert.equal(late.totals(), { input_tokens: 100, output_tokens: 12, cached_tokens: 30, cost_usd: 1 });
});

test('usage is read from every form of answer', () => {
  const read = (streamed: boolean, ...texts: string[]) => {
    const reader = usageReader(streamed);
    for (const text of texts) reader.push(text);
    return reader.end();
  };
  const chat = {
    model: 'g',
    usage: { prompt_tokens: 7, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 2 } },
  };
  assert.equal(read(false, JSON.stringify(chat)), { input: 7, output: 3, cached: 2, model: 'g' });
  const event = `data: ${JSON.stringify({ type: 'response.completed', response: { model: 'r', usage: { input_tokens: 7, output_tokens: 3, input_tokens_details: { cached_tokens: 1 } } } })}\n\n`;
  assert.equal(read(true, event.slice(0, 40), event.slice(40)), { input: 7, output: 3, cached: 1, model: 'r' });
  const google = {
    modelVersion: 'f',
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, thoughtsTokenCount: 1 },
  };
  assert.equal(read(false, JSON.stringify([google])), { input: 5, output: 3, cached: null, model: 'f' });
  assert.equal(read(false, 'not json'), { input: null, output: null, cached: null, model: null });
});

test('without a key, or where a program can not be pointed at us, it is refused in words', async () => {
  const refused = async (runner: typeof claude, env: NodeJS.ProcessEnv) =>
    JSON.stringify(await openBroker(runner, turnRequest({}), env));
  assert.match(await refused(claude, {}), /ANTHROPIC_API_KEY is not set/);
  assert.match(await refused(codex, { OPENAI_API_KEY: KEY }), /can't be pointed/);
  assert.match(
    await refused(claude, { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: 'file:///etc' }),
    /ANTHROPIC_BASE_URL/,
  );
});

test.run();
