// limit: 240s
// Members of a cluster as people start them: real processes, a real engine, the demo runtime.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runProgram } from '../run-program.js';
import { hasRedis, SKIPPED, serveRedis } from './engines.js';
import { type Members, members, request } from './members.js';

const program = resolve('bin/turnout.js');
const serve = (args: readonly string[], env: Record<string, string> = {}) =>
  runProgram(process.execPath, [program, 'agent', 'serve', ...args], {
    env: { ...process.env, ...env },
    timeout: 30_000,
  });

test('what can not be meant is refused before anything is started', () => {
  for (const [args, why] of [
    [['--role', 'worker'], /--role worker needs --cluster/],
    [['--label', 'gpu'], /--label needs --cluster/],
    [['--cluster', 'http://127.0.0.1'], /expected an address that begins with redis/],
    [['--cluster', 'redis://127.0.0.1:1', '--store', 'memory'], /--store and --cluster exclude each other/],
    [['--cluster', 'redis://127.0.0.1:1', '--role', 'worker', '--transport', 'http'], /a worker has no listener/],
    [['--cluster', 'redis://127.0.0.1:1', '--label', 'No Blanks'], /expected small letters/],
    [['--cluster', 'redis://127.0.0.1:1'], /redis:\/\/127.0.0.1:1 can't be used/],
  ] as const) {
    const ran = serve(args);
    assert.is(ran.status, 2, args.join(' '));
    assert.match(ran.stderr, why);
  }
});

test('a password never stands in an argument, and is never printed', () => {
  const url = 'redis://team:hunter2hunter2@127.0.0.1:1';
  const asked = serve(['--cluster', url]);
  assert.is(asked.status, 2);
  assert.match(asked.stderr, /put the address into --cluster-file PATH or TURNOUT_CLUSTER/);
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  writeFileSync(join(folder, 'at'), `${url}\n`);
  const [fromFile, fromEnv] = [serve(['--cluster-file', join(folder, 'at')]), serve([], { TURNOUT_CLUSTER: url })];
  rmSync(folder, { recursive: true });
  for (const { status, stderr } of [fromFile, fromEnv]) {
    assert.is(status, 2);
    assert.match(stderr, /redis:\/\/127.0.0.1:1 can't be used/);
  }
  for (const { stdout, stderr } of [asked, fromFile, fromEnv]) assert.not.match(stdout + stderr, /hunter2/);
});

const there = hasRedis();
/** A test on an engine of its own. */
function on(name: string, work: (team: Members, url: string) => Promise<void>, redis: readonly string[] = []): void {
  test(name, async () => {
    if (!there) return console.log(SKIPPED);
    const served = await serveRedis(redis);
    const team = members(served.url);
    try {
      await work(team, served.url);
    } finally {
      await team.end();
      await served.stop();
    }
  });
}

const exec = (prompt: string, more: object = {}) => ({ op: 'exec', runtime: 'demo', prompt, ...more });

on('a front answers with what a worker runs, and any front reads it again', async (team) => {
  team.worker('w1');
  const [one, two] = [await team.front(), await team.front()];
  const lines = await request(one.url, exec('say hi'));
  const result = lines.find(({ kind }) => kind === 'result');
  assert.is(result?.['text'], 'hi');
  const numbers = lines.flatMap(({ kind, seq }) => (kind === 'event' ? [seq] : []));
  assert.equal(
    numbers,
    numbers.map((_, index) => index + 1),
  );
  const again = await request(two.url, { op: 'events', run_id: result?.['run_id'], since: 0 });
  const events = (all: typeof lines) => all.flatMap(({ kind, event }) => (kind === 'event' ? [event] : []));
  assert.equal(events(again), events(lines));
});

on('a session goes on where it began, and a second worker takes what is new', async (team) => {
  team.worker('w1');
  const front = await team.front();
  const first = (await request(front.url, exec('say one'))).find(({ kind }) => kind === 'result');
  team.worker('w2');
  const more = { session: first?.['session_id'] };
  const second = (await request(front.url, exec('remember', more))).find(({ kind }) => kind === 'result');
  assert.match(String(second?.['text']), /say one/);
});

on(
  'an engine that forgets keys is refused',
  async (_, url) => {
    const ran = serve(['--cluster', url]);
    assert.is(ran.status, 2);
    assert.match(ran.stderr, /set maxmemory-policy noeviction/);
  },
  ['--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru'],
);

on(
  'a second member with the same id is refused; a worker that is told to end waits for its turns',
  async (team, url) => {
    const worker = team.worker('w1');
    const front = await team.front();
    const running = request(front.url, exec('slow 60'));
    await request(front.url, exec('say up'));
    const second = serve(['--cluster', url, '--role', 'worker', '--member-id', 'w1', '--lease', '2s']);
    assert.is(second.status, 2);
    assert.match(second.stderr, /is member w1 of the cluster/);
    assert.is(await worker.stop(), 0);
    const result = (await running).find(({ kind }) => kind === 'result');
    assert.is(result?.['status'], 'completed');
  },
);

test.run();
