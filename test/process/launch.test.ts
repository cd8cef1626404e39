import { existsSync, statSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LaunchError, type LaunchReason } from '../../src/process/launch.js';
import { type Agent, bin, start } from './agent.js';
import { survivors, until } from './survivors.js';

const test = suite('launch');

/** Ends it and shows that nothing of it is left. */
async function finish(agent: Agent): Promise<void> {
  assert.equal(await agent.end(), []);
  assert.equal(survivors(agent.marker), []);
  assert.not.ok(existsSync(agent.dir.path));
}

test('runs in a session and a group of its own, with the stdio it was planned with', async () => {
  for (const [changes, stdio] of [
    [{ stdin: 'null' }, ['device', 'pipe', 'pipe']],
    [{ stdin: 'hold' }, ['pipe', 'pipe', 'pipe']],
    [{ stdin: 'end', stdout: 'file' }, ['pipe', 'file', 'pipe']],
  ] as const) {
    const agent = await start(['tells-its-stdin.js'], changes);
    await agent.exited;
    const { pid } = agent.running;
    assert.equal(JSON.parse(agent.lines[0] ?? ''), { pid, group: pid, session: pid, stdio });
    await finish(agent);
  }
});

test('gets the planned environment and nothing of ours', async () => {
  const agent = await start(['shows-env.js'], { env: { ONLY: 'this' } });
  await agent.exited;
  assert.equal(JSON.parse(agent.lines[0] ?? ''), { ONLY: 'this' });
  await finish(agent);
});

test('the exit comes last, once, with the code', async () => {
  const agent = await start(['exits-with.js', '3']);
  assert.equal(await agent.exited, { code: 3, signal: null });
  assert.equal(agent.order, ['stderr', 'exit']);
  assert.equal(agent.errors, ['leaving']);
  await finish(agent);
  assert.equal(agent.order, ['stderr', 'exit']);
});

for (const signal of ['SIGKILL', 'SIGTERM', 'SIGSEGV']) {
  test(`a death by ${signal} is told by name`, async () => {
    const agent = await start(['dies-by-signal.js', signal]);
    assert.equal(await agent.exited, { code: null, signal });
    await finish(agent);
  });
}

test('what was printed in the middle of a line before a death is delivered', async () => {
  const agent = await start(['dies-mid-line.js']);
  await agent.exited;
  assert.equal(agent.lines, ['{"a":1}', '{"b":']);
  await finish(agent);
});

test('half a character at the end spoils only itself, on both pipes', async () => {
  const agent = await start(['dies-mid-character.js']);
  await agent.exited;
  assert.equal(agent.lines, ['a', 'b\ufffd']);
  assert.equal(agent.errors, ['c\ufffd']);
  await finish(agent);
});

test('characters that arrive byte by byte stay whole, on both pipes', async () => {
  const agent = await start(['drips-bytes.js']);
  await agent.exited;
  assert.equal(agent.lines, ['é日本語 😀']);
  assert.equal(agent.errors, ['é日本語 😀']);
  await finish(agent);
});

test('BOM, CRLF, lone CR, NUL and Unicode line ends', async () => {
  const agent = await start(['odd-bytes.js']);
  await agent.exited;
  assert.equal(agent.lines, ['{"a":1}', '{"b":"x\ry\0z\u2028\u2029"}', '', 'last']);
  await finish(agent);
});

test('a 64 MiB line is dropped and the next one is delivered', async () => {
  const agent = await start(['big-line.js', '64']);
  await agent.exited;
  assert.equal(agent.dropped, [64 << 20]);
  assert.equal(agent.lines, ['next']);
  await finish(agent);
});

test('a line of just under the limit is delivered whole', async () => {
  const agent = await start(['big-line.js', '16']);
  await agent.exited;
  assert.equal(
    agent.lines.map((line) => line.length),
    [16 << 20, 4],
  );
  await finish(agent);
});

test('a program that prints something big and exits at once loses nothing through a file', async () => {
  const agent = await start(['exits-after-big-write.js', '3000000'], { stdout: 'file' });
  assert.equal(statSync(`${agent.dir.path}/stdout`).mode & 0o777, 0o600);
  await agent.exited;
  assert.equal(
    agent.lines.map((line) => line.length),
    [3_000_013],
  );
  await finish(agent);
});

test('lines that go through a file are delivered while the program runs', async () => {
  const agent = await start(['ignores-sigterm.js'], { stdout: 'file' });
  await agent.said('ready');
  assert.not.ok(agent.isOver());
  await agent.end({ now: true });
  assert.equal(await agent.exited, { code: null, signal: 'SIGKILL' });
});

test('a child that holds the pipes does not keep the exit from us', async () => {
  const agent = await start(['holds-stdout.js']);
  assert.equal(await agent.exited, { code: 0, signal: null });
  assert.equal(agent.lines, ['leader done']);
  assert.is(survivors(agent.marker).length, 1);
  await finish(agent);
});

test('closed pipes are no exit: the program goes on and its code counts', async () => {
  const agent = await start(['closes-stdout-and-lives.js'], { stdin: 'hold' });
  await agent.said('bye');
  assert.not.ok(agent.isOver());
  await until('it is told', () => agent.order.includes('closed'));
  agent.running.endStdin();
  assert.equal(await agent.exited, { code: 7, signal: null });
  assert.equal(agent.order, ['line', 'closed', 'exit']);
  await finish(agent);
});

test('much on stderr does not block a program that nobody else reads from', async () => {
  const agent = await start(['floods-stderr.js']);
  await agent.exited;
  assert.equal(agent.lines, ['done']);
  assert.is(agent.errors.length, 32 * 1024);
  await finish(agent);
});

test('an over-long stderr line is cut, not dropped', async () => {
  const agent = await start(['sh', '-c', 'head -c 3000000 /dev/zero | tr "\\0" e >&2; echo >&2; echo next >&2']);
  await agent.exited;
  assert.equal(
    agent.errors.map((line) => line.length),
    [1 << 20, 4],
  );
  await finish(agent);
});

test('stdin: what is written arrives, also more than a pipe holds, and it ends when told', async () => {
  const agent = await start(['echoes-stdin.js'], { stdin: 'hold' });
  agent.running.write('{"é":"日本"}\n');
  await agent.said('{"é":"日本"}');
  agent.running.write('x'.repeat(5_000_000));
  agent.running.endStdin();
  await agent.exited;
  assert.is(agent.lines.at(-1), `read ${5_000_000 + Buffer.byteLength('{"é":"日本"}\n')}`);
  assert.is(agent.running.inputLost, false);
  await finish(agent);
});

test('a closed stdin is remembered, never thrown', async () => {
  const agent = await start(['closes-stdin.js'], { stdin: 'hold' });
  await agent.said('ready');
  agent.running.write('x'.repeat(1 << 20));
  await until('the broken pipe is noticed', () => agent.running.inputLost);
  agent.running.write('more');
  agent.running.endStdin();
  process.kill(agent.running.pid, 'SIGUSR2');
  assert.equal(await agent.exited, { code: 0, signal: null });
  await finish(agent);
  agent.running.write('after the end');
  agent.running.endStdin();
});

test('input that a program never read is lost when it ends', async () => {
  const agent = await start(['never-reads-stdin.js'], { stdin: 'hold' });
  await agent.said('ready');
  agent.running.write('x'.repeat(8 << 20));
  process.kill(agent.running.pid, 'SIGUSR2');
  assert.equal(await agent.exited, { code: 0, signal: null });
  assert.is(agent.running.inputLost, true);
  await finish(agent);
});

test('a write without a pipe is lost, not thrown', async () => {
  const agent = await start(['exits-with.js']);
  agent.running.write('x');
  agent.running.endStdin();
  assert.is(agent.running.inputLost, true);
  await agent.exited;
  await finish(agent);
});

const REFUSALS: readonly (readonly [name: string, argv: string[], reason: LaunchReason, changes?: object])[] = [
  ['a missing program', ['/no/such/program', 's3cret-prompt'], 'not-found'],
  ['a missing program looked up on PATH', ['no-such-program', 's3cret-prompt'], 'not-found'],
  ['an empty program', ['', 's3cret-prompt'], 'not-found'],
  ['a missing working directory', ['sh', '-c', 's3cret-prompt'], 'cwd', { cwd: '/no/such/dir' }],
  ['a working directory that is a file', ['sh', '-c', 's3cret-prompt'], 'cwd', { cwd: bin('streams.js') }],
  ['a missing interpreter', ['missing-interpreter.sh', 's3cret-prompt'], 'interpreter'],
  ['a missing interpreter of a program on PATH', ['interpreter-is-missing', 's3cret-prompt'], 'interpreter'],
  ['a file that may not be executed', ['not-executable.sh', 's3cret-prompt'], 'permission'],
  ['a directory as a program', ['/tmp', 's3cret-prompt'], 'permission'],
  ['a NUL in an argument', ['sh', 's3cret-prompt\0'], 'nul'],
  ['an argument over 128 KiB', ['sh', 's3cret-prompt'.repeat(20_000)], 'too-long'],
  [
    'an environment over 128 KiB',
    ['sh', 's3cret-prompt'],
    'too-long',
    { env: { PATH: '/bin', BIG: 'x'.repeat(200_000) } },
  ],
];

for (const [name, argv, reason, changes] of REFUSALS) {
  test(`${name} is told as ${reason}, without the arguments`, async () => {
    for (const stdout of ['pipe', 'file'] as const) {
      const env = name.includes('of a program on PATH') ? { env: { PATH: `${process.cwd()}/fixtures/bin/path` } } : {};
      try {
        await start(argv, { ...changes, ...env, stdout });
        assert.unreachable('it was started');
      } catch (error) {
        assert.instance(error, LaunchError);
        if (!(error instanceof LaunchError)) return;
        assert.is(error.reason, reason);
        assert.not.match(`${error.message}${error.stack}${JSON.stringify(error)}${String(error.cause)}`, 's3cret');
      }
    }
  });
}

test('a file for stdout that is there already is refused, and nothing is started', async () => {
  const failed = await start(['exits-with.js'], { stdout: 'file', stdoutFile: bin('exits-with.js') }).then(
    () => null,
    (error: unknown) => error,
  );
  assert.instance(failed, LaunchError);
  assert.match(String(failed), 'EEXIST');
});

test('a program given by a relative path starts from the planned directory', async () => {
  const agent = await start(['./exits-with.js'], {
    argv: ['./relays-itself.sh', 'again'],
    cwd: bin('.'),
    env: { PATH: '/no' },
  });
  await agent.exited;
  await agent.end({ now: true });
});

test.run();
