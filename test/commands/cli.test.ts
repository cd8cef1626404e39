import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runProgram } from '../run-program.js';

const bin = join(process.env['TURNOUT_ROOT'] ?? '.', 'bin', 'turnout.js');

function turnout(...argv: string[]) {
  return runProgram(process.execPath, [bin, ...argv], {});
}

function usage(...argv: string[]): { message: string; hint?: string } {
  const ran = turnout(...argv);
  assert.is(ran.status, 2);
  assert.is(ran.stdout, '');
  assert.match(ran.stderr, /^\{"v":1,"type":"error","code":"usage",[^\n]*\}\n$/);
  return JSON.parse(ran.stderr);
}

test('--version is the version, with --json the handshake, in any order', () => {
  assert.match(turnout('--version').stdout, /^\d+\.\d+\.\d+\n$/);
  const line = turnout('--version', '--json').stdout;
  assert.is(turnout('--json', '--version').stdout, line);
  const { v, name, version, protocol, rev, min_caller, capabilities } = JSON.parse(line);
  assert.equal(
    { v, name, protocol, rev, min_caller },
    { v: 1, name: 'turnout', protocol: 1, rev: 30, min_caller: '1.0.0' },
  );
  assert.is(`${version}\n`, turnout('--version').stdout);
  assert.ok(capabilities.includes('agent-scan'));
});

test('a usage error of exec is one JSON line on stderr and nothing on stdout', () => {
  assert.equal(usage('agent', 'exec', '--runtime', 'demo', '--promt', 'x'), {
    v: 1,
    type: 'error',
    code: 'usage',
    message: 'unknown flag --promt; did you mean --prompt?',
    hint: 'turnout agent exec --help',
  });
  const { message, hint } = usage('agent', 'exec', '--runtime', 'demo');
  assert.match(message, /^--prompt: give this or --prompt-file$/);
  assert.is(hint, undefined);
});

test('a usage error ends exec although stdin stays open', async () => {
  const child = spawn(process.execPath, [bin, 'agent', 'exec', '--runtime', 'demo'], { stdio: 'pipe' });
  const [code] = await once(child, 'exit');
  assert.is(code, 2);
});

test('a prompt of --help is a prompt; --help in its own place is help', () => {
  const asked = turnout('agent', 'exec', '--runtime', 'demo', '--prompt', '--help');
  assert.is(asked.status, 0);
  assert.match(asked.stdout, /^\{"v":1,"type":"start"/);
  assert.match(turnout('agent', 'exec', '--help').stdout, /USAGE\n {2}\$ turnout agent exec/);
  assert.match(turnout('agent', 'scan', '-h').stdout, /USAGE\n {2}\$ turnout agent scan/);
  assert.match(turnout('help', 'agent', 'scan').stdout, /USAGE\n {2}\$ turnout agent scan/);
});

test('an unknown command is an error that names the nearest one', () => {
  const ran = turnout('agent', 'scna');
  assert.is(ran.status, 2);
  assert.is(ran.stdout, '');
  assert.is(ran.stderr, 'turnout: unknown command "agent scna"; did you mean agent scan?\nTry: turnout --help\n');
  assert.match(usage('agent', 'nothing', '--json').message, /^unknown command "agent nothing"/);
  assert.match(turnout('agnt', 'scan').stderr, /did you mean agent scan\?/);
  for (const word of ['exec', 'scan', 'models'])
    assert.match(turnout(word, '--json').stderr, `unknown command \\"${word}\\"; did you mean agent ${word}?`);
  for (const word of ['version', '-v', '-V']) assert.match(turnout(word).stderr, 'did you mean --version?');
  assert.match(turnout('runn', 'fix', 'the', 'test').stderr, /unknown command "runn"; did you mean run\?/);
});

test('doctor tells people of an unknown component as of any wrong call', () => {
  const ran = turnout('doctor', '-c', 'cluade');
  assert.is(ran.status, 2);
  assert.match(ran.stderr, /unknown component "cluade"; did you mean claude\?/);
});

test('an old Node is told in words', () => {
  const old = `Object.defineProperty(process.versions, 'node', { value: '18.20.4' }); require(${JSON.stringify(resolve(bin))})`;
  const ran = runProgram(process.execPath, ['-e', old]);
  assert.is(ran.status, 1);
  assert.match(ran.stderr, /^turnout needs Node\.js 20\.19 or newer; this is 18\.20\.4/);
});

test('FORCE_COLOR colours what is no terminal, NO_COLOR wins', () => {
  const scan = (env: Record<string, string>) =>
    runProgram(process.execPath, [bin, 'agent', 'scan', '--all'], {
      env: { ...process.env, NO_COLOR: undefined, ...env },
    });
  assert.ok(scan({ FORCE_COLOR: '1' }).stdout.includes('\u001b['));
  assert.not(scan({ FORCE_COLOR: '1', NO_COLOR: '1' }).stdout.includes('\u001b['));
});

test('a flag without its command is an error, not the help page', () => {
  assert.match(usage('agent', '--json').message, /^a command is missing: agent exec, (agent [a-z]+, )*agent scan/);
});

test('a bad flag of scan is told to people in words, to programs in JSON', () => {
  const ran = turnout('agent', 'scan', '--instaled');
  assert.is(ran.status, 2);
  assert.is(ran.stdout, '');
  assert.match(ran.stderr, /^turnout: unknown flag --instaled; did you mean --installed\?\n/);
  assert.is(
    usage('agent', 'scan', '--json', '--instaled').message,
    'unknown flag --instaled; did you mean --installed?',
  );
});

test('scan prints one JSON document with --json and a table without colours on a pipe', () => {
  const { v, agents } = JSON.parse(turnout('agent', 'scan', '--json', '--all').stdout);
  assert.is(v, 1);
  assert.ok(agents.some((agent: { id: string; builtin?: true }) => agent.id === 'demo' && agent.builtin));
  const table = turnout('agent', 'scan', '--all').stdout;
  assert.match(table, /^RUNTIME +VERSION +ACCESS +TOOLS +PROGRAM\n/);
  assert.not.ok(table.includes('\u001b'));
});

test('a reader that leaves early is no error of scan', async () => {
  const child = spawn(process.execPath, [bin, 'agent', 'scan', '--json', '--all'], {});
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = await once(child, 'close');
  assert.is(stderr, '');
  assert.is(code, 0);
});

test('the version is printed when the reader is gone, too', async () => {
  const child = spawn(process.execPath, [bin, '--version'], {});
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = await once(child, 'close');
  assert.is(stderr, '');
  assert.is(code, 0);
});

test.run();
