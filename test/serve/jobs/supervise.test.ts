import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { fingerprint } from '../../../src/serve/jobs/supervise/fingerprint.js';
import { supervise } from '../../../src/serve/jobs/supervise/supervisor.js';
import { num, obj, parseObject, str } from '../../../src/text/json.js';

const test = suite('supervisor of a job server');

interface Host {
  ask(method: string, params?: JsonObject): Promise<JsonObject>;
  tool(name: string): Promise<JsonObject>;
  raw(line: string): Promise<JsonObject>;
  /** Pid of the worker that was started last. */
  pid(): string;
  /** Changes what the worker says; `installed` is the version on the disk. */
  set(changes: { installed?: string | null; over?: boolean; tools?: string[]; storeSays?: boolean }): void;
}

async function withHost(use: (host: Host) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-supervise-'));
  const file = join(folder, 'state.json');
  const now = { installed: '1' as string | null, over: false, tools: ['coding_submit'], storeSays: false };
  const set: Host['set'] = (changes) => {
    Object.assign(now, changes);
    writeFileSync(file, JSON.stringify({ version: now.installed, over: now.over, tools: now.tools }));
  };
  set({});
  const [input, output] = [new PassThrough(), new PassThrough()];
  const waiting = new Map<number | null, (answer: JsonObject) => void>();
  output.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().trim().split('\n')) {
      const answer = parseObject(line) ?? {};
      waiting.get(num(answer, 'id') ?? null)?.(answer);
    }
  });
  const over = supervise({
    argv: [process.execPath, join(process.cwd(), 'fixtures/bin/works-on-jobs.js'), file],
    input,
    output,
    fingerprint: () => now.installed,
    isOver: async () => now.storeSays,
    stopped: new Promise(() => {}),
    complain: () => {},
    deadlines: { answer: 700, first: 20_000, leave: 5_000 },
  });
  let last = 0;
  const answered = (id: number | null, line: string) =>
    new Promise<JsonObject>((resolve) => {
      waiting.set(id, resolve);
      input.write(`${line}\n`);
    });
  const ask: Host['ask'] = (method, params = {}) => {
    last += 1;
    return answered(last, JSON.stringify({ jsonrpc: '2.0', id: last, method, params }));
  };
  try {
    await use({
      ask,
      tool: (name) => ask('tools/call', { name, arguments: {} }),
      raw: (line) => answered(null, line),
      pid: () => readFileSync(`${file}.pid`, 'utf8'),
      set,
    });
  } finally {
    input.end();
    await over;
    rmSync(folder, { recursive: true, force: true });
  }
}

const hello = (host: Host) => host.ask('initialize', { protocolVersion: '2025-06-18' });
const code = (answer: JsonObject) => num(answer, 'error', 'code');
const content = (answer: JsonObject) => obj(answer, 'result', 'structuredContent');

test('an upgrade between two requests is a new worker that the host does not notice', () =>
  withHost(async (host) => {
    assert.is(str(await hello(host), 'result', 'serverInfo', 'version'), '1');
    const before = host.pid();
    host.set({ installed: '2' });
    assert.equal(obj(await host.ask('tools/list'), 'result'), { tools: ['coding_submit'] });
    assert.is.not(host.pid(), before);
  }));

test('while a job is under way the worker stays, and only a new job is refused', () =>
  withHost(async (host) => {
    await hello(host);
    await host.tool('coding_submit');
    const before = host.pid();
    host.set({ installed: '2' });
    assert.equal(content(await host.tool('coding_submit')), { ok: false, error: 'service_reload_pending' });
    assert.is(obj(content(await host.tool('coding_get')), 'job')?.['job_terminal'], false);
    assert.is(host.pid(), before);
    host.set({ over: true });
    await host.tool('coding_get');
    assert.is(obj(content(await host.tool('coding_submit')), 'job')?.['job_id'], 'job_1');
    assert.is.not(host.pid(), before);
  }));

test('a job that ended without a word to the host holds nothing back', () =>
  withHost(async (host) => {
    await hello(host);
    await host.tool('coding_submit');
    const before = host.pid();
    host.set({ installed: '2', storeSays: true });
    await host.tool('coding_submit');
    assert.is.not(host.pid(), before);
  }));

test('in the middle of an installation nothing is replaced', () =>
  withHost(async (host) => {
    await hello(host);
    const before = host.pid();
    host.set({ installed: null });
    await host.ask('tools/list');
    assert.is(host.pid(), before);
  }));

test('a worker that offers something else is not put behind the back of the host, until it connects again', () =>
  withHost(async (host) => {
    await hello(host);
    host.set({ installed: '2', tools: ['coding_other'] });
    const refused = await host.ask('tools/list');
    assert.is(code(refused), -32603);
    assert.match(str(refused, 'error', 'message') ?? '', /contract changed/);
    await hello(host);
    assert.equal(obj(await host.ask('tools/list'), 'result'), { tools: ['coding_other'] });
  }));

for (const [what, tool] of [
  ['dies', 'coding_die'],
  ['prints what is no message', 'coding_babble'],
  ['does not answer', 'coding_sleep'],
] as const) {
  test(`a worker that ${what} is an error for who waits, and the next request has a new one`, () =>
    withHost(async (host) => {
      await hello(host);
      const before = host.pid();
      const [waited, other] = await Promise.all([host.tool(tool), host.tool('coding_sleep')]);
      assert.equal([code(waited), code(other)], [-32603, -32603]);
      assert.is(obj(content(await host.tool('coding_submit')), 'job')?.['job_id'], 'job_1');
      assert.is.not(host.pid(), before);
    }));
}

test('what comes before the handshake, is no JSON or is too large is refused, and the connection lives on', () =>
  withHost(async (host) => {
    assert.is(code(await host.tool('coding_submit')), -32600);
    assert.is(code(await host.raw('{')), -32700);
    assert.is(code(await host.raw(JSON.stringify({ long: 'x'.repeat(300_000) }))), -32600);
    assert.ok('result' in (await hello(host)));
  }));

test('the fingerprint changes with a file of the package, and is unknown while one is missing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-print-'));
  assert.is(fingerprint(folder), null);
  const before = fingerprint(process.cwd());
  assert.type(before, 'string');
  assert.is(fingerprint(process.cwd()), before);
  rmSync(folder, { recursive: true });
});

test.run();
