// limit: 120s

import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { keepRun, keptRuns } from '../../src/exec/run-history.js';
import { TURNOUT } from '../contract/cli.js';
import { runProgram } from '../run-program.js';

const home = mkdtempSync(join(tmpdir(), 'turnout-history-'));
const folder = join(home, 'app');
mkdirSync(folder);
const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_STATE_HOME: home, TURNOUT_CONFINE: 'none' };
const turnout = (...args: string[]) => runProgram(process.execPath, [TURNOUT, ...args], { cwd: folder, env });

test('run is kept, exec only with --keep; the file is for its owner alone', () => {
  assert.match(turnout('history').stdout, /No turn is kept yet/);
  turnout('run', '-r', 'demo', 'say hello');
  turnout('agent', 'exec', '-r', 'demo', '-p', 'say unkept');
  turnout('agent', 'exec', '-r', 'demo', '-p', 'quota', '--keep');
  const { runs } = JSON.parse(turnout('history', '--json').stdout);
  assert.equal(
    runs.map(({ way, prompt, error, output }: Record<string, unknown>) => [way, prompt, error, output]),
    [
      ['exec', 'quota', 'quota', null],
      ['run', 'say hello', null, 'hello'],
    ],
  );
  assert.is(runs[0].usage.cost_usd, null);
  assert.match(turnout('history').stdout, /^[0-9a-f]{8} {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}run +demo +ok/m);
  assert.is(statSync(join(home, 'turnout', 'history.jsonl')).mode & 0o077, 0);
});

test('one turn is shown with what continues it', () => {
  const id = /^([0-9a-f]{8}) .* run /m.exec(turnout('history').stdout)?.[1] ?? '';
  const shown = turnout('history', 'show', id).stdout;
  assert.match(shown, /> say hello\n\nhello\n$/);
  const [, words = ''] = /continue: +turnout (run .*) "…"/.exec(shown) ?? [];
  assert.match(turnout(...words.split(' '), 'remember').stdout, /say hello/);
  assert.is(turnout('history', 'show', 'nope').status, 2);
  assert.match(turnout('history', '--limit', 'x').stderr, /--limit: expected a whole number/);
});

test('nothing is kept where the configuration says so, and all can be forgotten', () => {
  turnout('history', 'forget');
  turnout('config', 'set', 'history', 'false');
  turnout('run', '-r', 'demo', 'say hello');
  assert.match(turnout('history').stdout, /No turn is kept yet/);
});

test('the older half goes when the file is large', () => {
  const own = { XDG_STATE_HOME: join(home, 'large') };
  const usage = { input_tokens: null, output_tokens: null, cached_tokens: null, cost_usd: null };
  const about = { way: 'run', cwd: '/', runtime: 'demo', model: null, session_id: null, prompt: 'p' } as const;
  const end = { exit_code: 0, stop_reason: 'end_turn', error: null, duration_ms: 1, usage };
  for (let n = 0; n < 9; n++) {
    keepRun({ id: `r${n}`, began_at: '2026-01-01T00:00:00Z', ...about, ...end, output: 'x'.repeat(1_000_000) }, own);
  }
  const ids = keptRuns(own).map(({ id }) => id);
  assert.is(ids[0], 'r8');
  assert.ok(ids.length >= 4 && ids.length <= 6, ids.join());
});

test.after(() => rmSync(home, { recursive: true, force: true }));
test.run();
