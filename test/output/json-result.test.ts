import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { TurnSummary } from '../../src/output/json-result.js';
import { runProgram } from '../run-program.js';

const bin = join(process.env['TURNOUT_ROOT'] ?? '.', 'bin', 'turnout.js');
const folder = mkdtempSync(join(tmpdir(), 'json-result-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

function summary(
  command: readonly string[],
  ...args: string[]
): { code: number | null; err: string; turn: TurnSummary } {
  const ran = runProgram(process.execPath, [bin, ...command, '--runtime', 'demo', '--format', 'json', ...args], {
    cwd: folder,
    input: '',
    env: { ...process.env, XDG_STATE_HOME: join(folder, 'state') },
  });
  const lines = ran.stdout.trimEnd().split('\n');
  assert.is(lines.length, 1, ran.stderr);
  return { code: ran.status, err: ran.stderr, turn: JSON.parse(lines[0] ?? '') };
}

for (const command of [['agent', 'exec'], ['run']]) {
  test(`${command.join(' ')}: a turn is one object on stdout`, () => {
    const { code, turn } = summary(command, '--prompt', 'write notes.txt Hello', '--access', 'edit');
    assert.is(code, 0);
    assert.is(turn.ok, true);
    assert.is(turn.output, 'I wrote notes.txt.');
    assert.match(turn.session_id ?? '', /^[0-9a-f-]{36}$/);
    assert.ok((turn.usage.input_tokens ?? 0) > 0 && (turn.usage.cost_usd ?? 0) > 0);
    assert.equal(turn.files_changed, [join(folder, 'notes.txt')]);
    assert.is(turn.error, null);
  });
}

test('a failure is in the object and in the exit code', () => {
  const { code, turn } = summary(['agent', 'exec'], '--prompt', 'auth');
  assert.is(code, 1);
  assert.is(turn.ok, false);
  assert.is(turn.error?.code, 'auth');
  assert.is(turn.output, null);
});

test('with an output schema the answer is also there parsed', () => {
  const schema = file('{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}');
  const { turn } = summary(['agent', 'exec'], '--prompt', 'json {"n":3}', '--output-schema', schema);
  assert.equal(turn.structured, { n: 3 });
});

function file(text: string): string {
  const path = join(folder, `f${Math.random()}.json`);
  writeFileSync(path, text);
  return path;
}

test.run();
