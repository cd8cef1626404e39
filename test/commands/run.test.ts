// limit: 120s

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readRun } from '../../src/commands/run.js';
import { run, TURNOUT } from '../contract/cli.js';
import { runProgram } from '../run-program.js';
import { around, bytes, file, folder, refuses } from './reading.js';

const nothingSet = async () => ({ text: () => undefined, history: true, plain: false, notes: [] });
const terminal = {
  ...around(),
  stdinIsTerminal: true,
  stdinIsPiped: false,
  note: (_: string) => {},
  settings: nothingSet,
};
const piped = (text: string) => ({
  ...terminal,
  ...around({ stdin: () => bytes(text) }),
  stdinIsTerminal: false,
  stdinIsPiped: true,
});
const promptOf = async (argv: string[], where = terminal) => (await readRun(argv, where)).plan.request.prompt;

const home = mkdtempSync(join(tmpdir(), 'turnout-run-'));
const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_STATE_HOME: home };
const turnout = (args: readonly string[], input = '') =>
  runProgram(process.execPath, [TURNOUT, ...args], { cwd: home, env, input });

test('words are the prompt; a dash is stdin; a pipe without words is the prompt', async () => {
  assert.is(await promptOf(['fix', 'the bug']), 'fix the bug');
  assert.is(await promptOf(['review:', '-'], piped('the diff\n')), 'review:\n\nthe diff\n');
  assert.is(await promptOf([], piped('all of it')), 'all of it');
  assert.is(await promptOf(['-'], piped('all of it')), 'all of it');
  assert.is(await promptOf(['--', '--not-a-flag', '-x']), '--not-a-flag -x');
  assert.is(await promptOf(['--prompt-file', file('p.txt', 'from a file')]), 'from a file');
});

test('what is piped in stands behind the words, in a block of its own', async () => {
  assert.is(await promptOf(['review this'], piped('the diff\n')), 'review this\n\n<stdin>\nthe diff\n</stdin>');
  assert.is(await promptOf(['-p', 'review'], piped('no line end')), 'review\n\n<stdin>\nno line end\n</stdin>');
  const path = file('ask.txt', 'from a file');
  assert.is(await promptOf(['--prompt-file', path], piped('x')), 'from a file\n\n<stdin>\nx\n</stdin>');
  assert.is(await promptOf(['hello'], piped('')), 'hello');
  const much = { ...piped(''), stdin: () => bytes('x'.repeat(16 * 1024 * 1024), 'x') };
  await refuses(readRun(['hello'], much), /more than 16 MiB/);
});

test('a pipe that is open and silent does not hold the turn up, and the person is told', async () => {
  const notes: string[] = [];
  async function* silent() {
    await new Promise(() => {});
    yield new Uint8Array();
  }
  const where = { ...piped(''), stdin: silent, firstByteMs: 1, note: (message: string) => void notes.push(message) };
  assert.is(await promptOf(['hello'], where), 'hello');
  assert.match(notes.join(), /nothing came on it/);
});

test('stdin is left alone when it is neither a pipe nor a file', async () => {
  assert.is(await promptOf(['hello'], { ...terminal, stdinIsTerminal: false }), 'hello');
});

test('the runtime is auto, flags may stand anywhere', async () => {
  const { plan, quiet, noColor } = await readRun(['a', '-q', 'b', '-r', 'demo', '--no-color'], terminal);
  assert.is(plan.request.runtime, 'demo');
  assert.is(plan.request.prompt, 'a b');
  assert.ok(quiet && noColor);
  assert.is((await readRun(['a'], terminal)).plan.request.runtime, 'auto');
});

test('what can not be meant is told in words', async () => {
  await refuses(readRun([], terminal), /Give a prompt/);
  await refuses(readRun([' '], terminal), /empty/);
  await refuses(readRun(['a', '-p', 'b'], terminal), /twice/);
  await refuses(readRun(['a', '--tools', 'stdio'], terminal), /--tools is for programs/);
  await refuses(readRun(['a', '--continue', '--resume', 'x'], terminal), /not both/);
  await refuses(readRun(['a', '--qiet'], terminal), /did you mean --quiet/);
});

test('the answer alone is on stdout', () => {
  const ran = turnout(['run', '-r', 'demo', 'say one then shell ls then say two']);
  assert.is(ran.status, 0);
  assert.match(ran.stdout, /^one\n\n/);
  assert.match(ran.stdout, /\n\ntwo\n$/);
  assert.match(ran.stderr, /✓ shell ls\ndemo · \d+ tokens in/);
  assert.not.ok(/[\r]/.test(ran.stderr) || ran.stderr.includes('\u001b'), 'no spinner, no colours without a terminal');
});

test('quiet says nothing else; a failure has the code of the turn and says why', () => {
  const quiet = turnout(['run', '-r', 'demo', '-q', 'say hi']);
  assert.is(quiet.stdout, 'hi\n');
  assert.is(quiet.stderr, '');
  const failed = turnout(['run', '-r', 'demo', '-q', 'auth']);
  assert.is(failed.status, 1);
  assert.match(failed.stderr, /^error auth: /);
  const usage = turnout(['run', '-r', 'demo', 'x', '--max-turns', '0']);
  assert.is(usage.status, 2);
  assert.match(usage.stderr, /^turnout: --max-turns/);
});

test('--continue goes on with the last session of the folder, also of another runtime than auto', () => {
  assert.match(turnout(['run', '--cwd', '/', '-c', 'x']).stderr, /no session to continue in \//);
  turnout(['run', '-r', 'demo', 'say first']);
  const again = turnout(['run', '-c', '-q', 'remember']);
  assert.match(again.stdout, /1\. say first/);
  assert.match(turnout(['run', '-c', '-r', 'claude', 'x']).stderr, /no session of claude/);
});

test('run --quiet and exec --format text print the output of the result and nothing else', () => {
  const schema = file('answer.json', { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] });
  const both = (prompt: string, ...more: string[]) => [
    turnout(['run', '-q', '-r', 'demo', ...more, prompt]),
    turnout(['agent', 'exec', '--runtime', 'demo', '--prompt', prompt, '--format', 'text', ...more]),
  ];
  for (const { stdout, stderr } of both('say Let me look. then shell ls then say FINAL')) {
    assert.equal([stdout, stderr], ['FINAL\n', '']);
  }
  // The first answer does not fit and is repaired.
  for (const { stdout, status } of both('json {"a":"x"} else {"a":2}', '--output-schema', join(folder, schema))) {
    assert.equal([status, JSON.parse(stdout)], [0, { a: 2 }]);
  }
  for (const { stdout, status } of both('json {"a":"x"} else {"a":"y"}', '--output-schema', join(folder, schema))) {
    assert.equal([status, stdout], [1, '']);
  }
});

test('a diff that is piped in reaches the agent', () => {
  const { stdout } = turnout(['run', '-q', '-r', 'demo', 'say look:'], 'IMPORTANT');
  assert.match(stdout, /look:\s+<stdin>\s+IMPORTANT\s+<\/stdin>/);
});

test('an interrupt cancels, a second one does not wait', async () => {
  for (const [prompt, signals] of [
    ['hang', 1],
    ['hang hard', 2],
  ] as const) {
    const running = run(['run', '-r', 'demo', prompt], { stdin: 'ignore' });
    await new Promise<void>((resolve) => running.child.stdout?.once('data', () => resolve()));
    for (let i = 0; i < signals; i++) running.child.kill('SIGINT');
    running.watch();
    const { code, stderr, late } = await running.ended;
    assert.is(late, false);
    assert.is(code, 130);
    assert.match(stderr, 'error cancelled');
  }
});

test('help shows examples and no flags for programs', () => {
  const { stdout } = turnout(['run', '--help']);
  for (const part of ['EXAMPLES', '--continue', 'Exit codes', 'git diff']) assert.match(stdout, part);
  assert.not.match(stdout, '--tools-file');
});

test('a mistyped command is guessed, a bare prompt is sent to run', () => {
  assert.match(turnout(['runn', 'hello']).stderr, 'did you mean run?');
  assert.match(turnout(['fix', 'the', 'bug']).stderr, 'Try: turnout run "fix the bug"');
});

test('runtimes is a table for people', () => {
  assert.match(turnout(['runtimes']).stdout, /^RUNTIME +VERSION/);
});

for (const shell of ['bash', 'zsh', 'fish']) {
  test(`completion for ${shell} is a script that the shell accepts`, () => {
    const { stdout, status } = turnout(['completion', shell]);
    assert.is(status, 0);
    for (const part of ['agent', 'exec', '--runtime', 'claude', 'scoped'])
      assert.match(stdout, part.replace(/^--/, ''));
    if (runProgram(shell, ['--version']).error) return console.log(`SKIPPED: ${shell} is not here to read its script`);
    const script = join(home, `completion.${shell}`);
    writeFileSync(script, stdout);
    const check = runProgram(shell, ['-n', script], {});
    assert.is(check.status, 0, check.stderr);
  });
}

test('bash completes commands, flags and values', () => {
  if (runProgram('bash', ['--version']).error) return console.log('SKIPPED: bash is not here');
  const script = turnout(['completion', 'bash']).stdout;
  const complete = (...words: string[]) => {
    const line = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _turnout; echo "\${COMPREPLY[*]}"`;
    return runProgram('bash', ['--norc', '-c', `${script}\n${line}`], {}).stdout.trim();
  };
  assert.match(complete('turnout', 'r'), /\brun\b/);
  assert.match(complete('turnout', 'agent', 'sc'), /^scan$/);
  assert.is(complete('turnout', 'run', '--acc'), '--access');
  assert.is(complete('turnout', 'run', '--access', 'e'), 'edit');
  assert.is(complete('turnout', 'agent', 'exec', '--runtime', 'dem'), 'demo');
  assert.is(complete('turnout', 'run', '--access', '=', 're'), 'read');
  assert.is(complete('turnout', 'run', '--access', '='), 'scoped none read edit full');
  assert.is(complete('turnout', 'runs', 'list', '--status', 'run'), 'running');
  assert.is(complete('turnout', 'agent', 'serve', '--transport', 'h'), 'http');
  assert.is(complete('turnout', 'agent', 'serve', '--mcp-access', 'f'), 'full');
  assert.is(complete('turnout', 'agent', 'test', 'cod'), 'codex');
  assert.is(complete('turnout', 'doctor', '-c', 'turn'), 'turnout');
  assert.is(complete('turnout', 'completion', 'po'), 'powershell');
  assert.is(complete('turnout', 'config', 'set', 'run'), 'runtime runtimes runners');
  assert.is(complete('turnout', 'run', '--model', 'x'), '');
});

test('PowerShell gets the same commands, flags and values', () => {
  const script = turnout(['completion', 'powershell']).stdout;
  assert.match(script, /^Register-ArgumentCompleter -Native -CommandName 'turnout'/m);
  assert.match(script, /'agent test' = @\{ args = @\('claude', /);
  assert.match(script, /'--access' = @\{ values = @\('scoped', 'none', 'read', 'edit', 'full'\) \}/);
  assert.match(script, /'--prompt-file' = @\{ values = \$null \}/);
  if (runProgram('pwsh', ['-v']).error) return console.log('SKIPPED: PowerShell is not here to read its script');
  const asked = `${script}\n(TabExpansion2 'turnout run --access e' 22).CompletionMatches.CompletionText`;
  assert.is(runProgram('pwsh', ['-NoProfile', '-Command', asked]).stdout.trim(), 'edit');
});

test.after(() => rmSync(home, { recursive: true, force: true }));
test.run();
