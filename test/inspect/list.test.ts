import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ModelEntry } from '../../src/contract/listing.js';
import { locate } from '../../src/discovery/locate.js';
import { isMissing } from '../../src/discovery/located.js';
import { thisMachine } from '../../src/discovery/places.js';
import { askProgram } from '../../src/inspect/ask-program.js';
import { sessionFiles } from '../../src/inspect/session-files.js';
import type { ModelQuery } from '../../src/runner/listing.js';
import { place, run } from '../contract/cli.js';
import { runner } from '../turn/stage.js';

const home = mkdtempSync(join(tmpdir(), 'turnout-list-'));

/** An agent program that is a small script. */
async function asked(script: string, query: Partial<ModelQuery> = {}, limit = 5000): Promise<ModelEntry[]> {
  const bin = join(mkdtempSync(join(home, 'bin-')), 'agent');
  writeFileSync(bin, `#!/usr/bin/env node\n${script}`);
  chmodSync(bin, 0o755);
  const one = runner({ id: 'agent' });
  const places = { ...thisMachine(), env: { ...process.env, AGENT_CLI_BIN: bin, SOME_API_KEY: 'secret-value-1234' } };
  const located = await locate(one, places);
  if (isMissing(located)) throw new Error(located.notes.join());
  const read: ModelQuery['read'] = (lines, over) =>
    lines.includes('end') || over ? (lines.includes('end') ? [{ id: lines[0] ?? '' }] : null) : null;
  return askProgram(one, located, { args: ['models'], read, ...query }, { places, cwd: home, foreignKeys: [], limit });
}

test('a program is asked, answered as soon as the answer is there, and ended', async () => {
  const script =
    "process.stdin.once('data', (text) => console.log(`${process.argv[2]} ${text}end`)); setInterval(() => {}, 1000);";
  assert.equal(await asked(script, { say: ['hello'] }), [{ id: 'models hello' }]);
});

test('one that says nothing is ended at the limit, one that fails is quoted with its secrets masked', async () => {
  const why = (call: Promise<unknown>) =>
    call.then(
      () => 'no error',
      (error: unknown) => String(error),
    );
  assert.match(await why(asked('setInterval(() => {}, 1000)', {}, 300)), 'no list within 0.3 s');
  const told = await why(asked('console.error(`bad key ${process.env.SOME_API_KEY}`); process.exit(3)'));
  assert.match(told, /exit code 3.*\n.*bad key/);
  assert.not.match(told, 'secret-value-1234');
});

test('session files: the newest first hundred, the first folder that exists, unreadable ones skipped', async () => {
  const folder = join(home, 'sessions');
  mkdirSync(folder);
  for (const [name, seconds] of [
    ['a.json', 10],
    ['b.json', 20],
    ['c.txt', 30],
  ] as const) {
    writeFileSync(join(folder, name), name);
    utimesSync(join(folder, name), seconds, seconds);
  }
  symlinkSync(join(home, 'nowhere'), join(folder, 'broken.json'));
  const source = {
    folders: ['$NOT_SET/x', '~/none', '$STORE'],
    name: /\.json$/,
    read: (name: string, text: string) => ({ id: name, title: text, cwd: null }),
  };
  assert.equal(await sessionFiles(source, { env: { STORE: folder }, home }), [
    { id: 'b.json', title: 'b.json', cwd: null, time: 20_000 },
    { id: 'a.json', title: 'a.json', cwd: null, time: 10_000 },
  ]);
  assert.equal(await sessionFiles(source, { env: {}, home }), []);
});

const json = async (...args: string[]) => {
  const { code, lines, stderr } = await run(args, { stdin: 'ignore', place: where }).ended;
  return { code, stderr, value: lines[0] === undefined ? null : JSON.parse(lines[0]) };
};
const where = place();

test('models: aliases of one model point to the first; no list is no error; what fails has its code', async () => {
  const demo = await json('agent', 'models', '--runtime', 'demo', '--json');
  assert.is(demo.code, 0);
  assert.equal(demo.value, {
    v: 1,
    runtime: 'demo',
    supported: true,
    models: [
      { id: 'default', resolved_id: 'demo-1', label: 'Default', default: true, aliases: ['default', 'demo-1'] },
      { id: 'demo-1', resolved_id: 'demo-1', label: 'Demo 1', alias_of: 'default' },
      { id: 'demo-2', resolved_id: 'demo-2', label: 'Demo 2' },
    ],
  });
  const none = await json('agent', 'models', '-r', 'gemini', '--json');
  assert.equal([none.code, none.value], [0, { v: 1, runtime: 'gemini', supported: false, models: [] }]);
  const unknown = await json('agent', 'models', '-r', 'nope', '--json');
  assert.equal([unknown.code, unknown.value.error.code], [2, 'unknown-runtime']);
  const missing = await json('agent', 'models', '-r', 'claude', '--json');
  assert.equal([missing.code, missing.value.error.code, missing.value.models], [1, 'missing-binary', []]);
});

test('sessions: those of the folder, newest first, and they can be resumed', async () => {
  const turn = (prompt: string, ...more: string[]) =>
    run(['agent', 'exec', '--runtime', 'demo', '--prompt', prompt, ...more], { stdin: 'ignore', place: where }).ended;
  await turn('say first');
  await turn('say elsewhere', '--cwd', '/');
  const { code, value } = await json('agent', 'sessions', '--runtime', 'demo', '--json');
  assert.is(code, 0);
  assert.is(value.sessions.length, 1);
  assert.is(value.sessions[0].title, 'say first');
  assert.match(value.sessions[0].time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const link = join(where.cwd, '..', 'link-to-project');
  symlinkSync(where.cwd, link);
  const linked = await json('agent', 'sessions', '--runtime', 'demo', '--cwd', link, '--json');
  assert.equal(linked.value.sessions, value.sessions, 'reached by a link, it is the same folder');
  const resumed = await turn('remember', '--resume', value.sessions[0].id);
  assert.is(resumed.code, 0);
  const table = await run(['agent', 'sessions', '--runtime', 'demo'], { stdin: 'ignore', place: where }).ended;
  assert.match(table.lines[1] ?? '', /say first/);
});

test('test: a word and its figures; every failure has a status and an exit code', async () => {
  const good = await json('agent', 'test', 'demo', '--json', '--model=m1');
  assert.is(good.code, 0);
  assert.is(good.value.status, 'ok');
  assert.is(good.value.model, 'm1');
  assert.is(good.value.cost_estimated, false);
  for (const field of ['latency_ms', 'latency_first_ms', 'input_tokens', 'output_tokens']) {
    assert.ok(Number.isInteger(good.value[field]), field);
  }
  const missing = await json('agent', 'test', 'claude', '--json');
  assert.equal([missing.code, missing.value.status, missing.value.cost_usd], [1, 'missing_binary', 0]);
  const sandbox = await json('agent', 'test', 'demo', '--json', '--sandbox', 'read-only');
  assert.equal([sandbox.code, sandbox.value.status, sandbox.value.error.code], [1, 'error', 'unsupported']);
  const usage = await json('agent', 'test', '--json');
  assert.equal([usage.code, usage.value], [2, null]);
  assert.match(usage.stderr, '"code":"usage"');
});

test.after(() => rmSync(home, { recursive: true, force: true }));
test.run();
