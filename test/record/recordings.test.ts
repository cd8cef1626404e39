// limit: 300s
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { comparable } from '../../src/record/recording.js';
import { run } from '../contract/cli.js';
import { firstDifference, runScenario } from '../contract/golden.js';
import { SCENARIOS, type Scenario } from '../contract/scenarios.js';

const folder = mkdtempSync(join(tmpdir(), 'turnout-recordings-'));
const path = (name: string) => join(folder, name);
const words = (...args: string[]) => run(args, { stdin: 'closed' }).ended;
const replay = (...args: string[]) => words('agent', 'replay', ...args);

const named = (...names: string[]): Scenario[] => SCENARIOS.filter(({ name }) => names.includes(name));
/** Ways through a turn that differ in who speaks when. */
const SHOWN = named(
  'tool-loop',
  'parallel-tools',
  'tool-error',
  'bad-frame',
  'permission',
  'steer',
  'max-turns',
  'runner-error',
  'cancel',
);

for (const scenario of SHOWN) {
  test(`${scenario.name}: recorded, replayed without drift, and played as a runtime with the same events`, async () => {
    const file = path(`${scenario.name}.ndjson`);
    const recorded = await runScenario({ ...scenario, args: [...(scenario.args ?? []), '--record', file] });
    assert.is(recorded.ended.code, scenario.exit, recorded.ended.stderr);
    const again = await replay(file);
    assert.is(again.code, 0, again.stderr);
    const played = await runScenario({
      ...scenario,
      runtime: `replay:${file}`,
      args: [...(scenario.args ?? []), '--speed', 'max'],
    });
    assert.is(played.ended.code, scenario.exit, played.ended.stderr);
    if (played.text !== recorded.text) assert.unreachable(firstDifference(recorded.text, played.text));
  });
}

test('a turn that its host cancels ends when it is played, too', async () => {
  const file = path('hang.ndjson');
  const running = run(['agent', 'exec', '--runtime', 'demo', '--prompt', 'hang', '--record', file]);
  await running.event(({ type }) => type === 'assistant');
  running.send({ type: 'cancel' });
  await running.ended;
  const host = run(['agent', 'exec', '--runtime', `replay:${file}`, '--prompt', 'hang']);
  await host.event(({ type }) => type === 'assistant');
  host.send({ type: 'cancel' });
  host.watch();
  const { code, late } = await host.ended;
  assert.is(late, false);
  assert.is(code, 130);
});

test('only the owner can read a recording, also one that was readable before', async () => {
  const file = path('private.ndjson');
  writeFileSync(file, '', { mode: 0o644 });
  await words('agent', 'exec', '--runtime', 'demo', '--prompt', 'hi', '--record', file);
  if (process.platform !== 'win32') assert.is(statSync(file).mode & 0o777, 0o600);
});

test('keys do not get into a recording, wherever they stand', async () => {
  const file = path('secret.ndjson');
  const key = `sk-ant-api03-${'a1b2c3d4'.repeat(6)}`;
  const own = 'correct-horse-battery-1';
  const { code } = await words(
    ...[
      'agent',
      'exec',
      '--runtime',
      'demo',
      '--prompt',
      `shell echo ${key} ${own}`,
      '--access',
      'full',
      '--allow-root',
    ],
    ...['--env', `MY_API_KEY=${own}`, '--record', file],
  );
  assert.is(code, 0);
  const text = readFileSync(file, 'utf8');
  assert.not.ok(text.includes(key));
  assert.not.ok(text.includes(own));
  const again = await replay(file);
  assert.is(again.code, 0, again.stderr);
});

test('turns are appended; those recorded at the same time are told apart', async () => {
  const file = path('several.ndjson');
  const turn = (prompt: string) => words('agent', 'exec', '--runtime', 'demo', '--prompt', prompt, '--record', file);
  await Promise.all([turn('slow 3'), turn('slow 4')]);
  await turn('say third');
  const { code, lines } = await replay(file);
  assert.is(code, 0);
  assert.is(lines.length, 3);
  const played = await words('agent', 'exec', '--runtime', `replay:${file}`, '--prompt', 'say third', '--speed', 'max');
  assert.is(played.events.find(({ type }) => type === 'result')?.['text'], 'third');
});

test('the budgets of the host that plays a turn hold', async () => {
  const file = path('budgets.ndjson');
  await words('agent', 'exec', '--runtime', 'demo', '--prompt', 'say one', '--record', file);
  const flags = ['--speed', 'max', '--budget-tokens', '1'];
  const played = await words('agent', 'exec', '--runtime', `replay:${file}`, '--prompt', 'say one', ...flags);
  assert.is(played.events.find(({ type }) => type === 'error')?.['code'], 'budget');
  assert.is(played.code, 1);
});

test('a wait that follows from a moment is no difference between two turns', () => {
  const refused = { v: 1, type: 'error', code: 'quota', message: 'Full.', fatal: true } as const;
  const at = { ...refused, resets_at: '2026-12-01T00:00:00.000Z' };
  assert.equal(comparable({ ...at, retry_after_ms: 1000 }), at);
  assert.equal(comparable({ ...refused, retry_after_ms: 1000 }), { ...refused, retry_after_ms: 1000 });
});

test('a changed translator shows where and what, and exits with 1; --update takes the change', async () => {
  const file = path('drift.ndjson');
  await words('agent', 'exec', '--runtime', 'demo', '--prompt', 'say one', '--record', file);
  // What an older translator would have said.
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const older = lines
    .map((line) => (line.includes('"type":"assistant"') ? line.replace('"text":"one"', '"text":"One."') : line))
    .filter((line) => !line.includes('"type":"usage"'));
  writeFileSync(file, `${older.join('\n')}\n`);
  const differs = await replay(file);
  assert.is(differs.code, 1);
  assert.match(differs.stderr, /after line \d+ of stdout \(\d+ ms\): /);
  assert.match(differs.stderr, '~ assistant.text: "One." → "one"');
  assert.match(differs.stderr, /\+ \{"v":1,"type":"usage"/);
  assert.match(differs.stderr, /6 events were recorded, 7 come now|5 events were recorded, 6 come now/);
  assert.is((await replay(file, '--update')).code, 0);
  const same = await replay(file);
  assert.is(same.code, 0, same.stderr);
  if (process.platform !== 'win32') assert.is(statSync(file).mode & 0o777, 0o600);
});

test('a turn of the real claude, recorded in the lab, is the same today; a changed text is shown', async () => {
  const fixture = join(process.env['TURNOUT_ROOT'] ?? '.', 'fixtures', 'claude', 'recorded-tool.ndjson');
  const same = await replay(fixture);
  assert.is(same.code, 0, same.stderr);
  const changed = path('claude.ndjson');
  const lines = readFileSync(fixture, 'utf8').split('\n');
  const older = lines.map((line) =>
    line.includes('"k":"event"') ? line.replace('Running the tool.', 'Running it.') : line,
  );
  writeFileSync(changed, older.join('\n'));
  const differs = await replay(changed);
  assert.is(differs.code, 1);
  assert.match(differs.stderr, '~ assistant.text: "Running it." → "Running the tool."');
});

test('a runtime that no longer takes the turn is drift', async () => {
  const file = path('refused.ndjson');
  await words('agent', 'exec', '--runtime', 'demo', '--prompt', 'hi', '--record', file);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"runtime":"demo"', '"runtime":"gone"'));
  const { code, stderr } = await replay(file);
  assert.is(code, 1);
  assert.match(stderr, 'no runtime called gone');
});

test('what is no recording is told with its line and exits with 2', async () => {
  const file = path('broken.ndjson');
  writeFileSync(file, '{"t":0,"k":"request","request":{}}\nnonsense\n');
  const broken = await replay(file);
  assert.is(broken.code, 2);
  assert.match(broken.stderr, /line 2/);
  assert.is((await replay(path('nowhere.ndjson'))).code, 2);
  const played = await words('agent', 'exec', '--runtime', `replay:${file}`, '--prompt', 'x');
  assert.equal(
    played.events.map(({ type }) => type),
    ['start', 'error', 'done'],
  );
  assert.is(played.code, 2);
});

test('a file that can not be written is a usage error; --speed is for recordings', async () => {
  const { code, lines, stderr } = await words(
    'agent',
    'exec',
    '--runtime',
    'demo',
    '--prompt',
    'x',
    '--record',
    folder,
  );
  assert.is(code, 2);
  assert.equal(lines, []);
  assert.match(stderr, '"code":"usage"');
  assert.is((await words('agent', 'exec', '--runtime', 'demo', '--prompt', 'x', '--speed', 'max')).code, 2);
});

test('the original timing is kept', async () => {
  const file = path('timing.ndjson');
  await words('agent', 'exec', '--runtime', 'demo', '--prompt', 'slow 5', '--record', file);
  const played = await words('agent', 'exec', '--runtime', `replay:${file}`, '--prompt', 'slow 5');
  // Five deltas 100 ms apart; timers never fire early.
  assert.ok(Number(played.events.at(-1)?.['duration_ms']) >= 350, JSON.stringify(played.events.at(-1)));
});

test.after(() => rmSync(folder, { recursive: true, force: true }));
test.run();
