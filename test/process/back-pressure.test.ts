import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { childEnv } from '../../src/process/child-env.js';
import { launch } from '../../src/process/launch.js';
import { bin, start } from './agent.js';
import { isAlive, until } from './survivors.js';

const test = suite('back-pressure');

test('a stream of 256 MiB needs no memory that grows with it', async () => {
  const marker = { name: 'TURNOUT_TURN', value: `stream-${process.pid}` };
  const env = childEnv({
    ambient: process.env,
    scrub: [],
    foreignKeys: [],
    set: {},
    explicit: {},
    turnId: marker.value,
  });
  let bytes = 0;
  let peak = 0;
  const before = process.memoryUsage.rss();
  await new Promise<void>((resolve, reject) => {
    launch(
      {
        argv: [process.execPath, bin('streams.js'), '256'],
        cwd: process.cwd(),
        env,
        stdin: 'null',
        stdout: 'pipe',
        marker,
      },
      {
        line(text) {
          bytes += text.length + 1;
          if (bytes % (1 << 20) < 200) peak = Math.max(peak, process.memoryUsage.rss());
        },
        dropped: () => reject(new Error('a line was dropped')),
        stderr: (text) => reject(new Error(text)),
        exit: () => resolve(),
      },
    ).then((running) => running.pid, reject);
  });
  assert.ok(bytes >= 256 << 20);
  assert.ok(peak - before < 128 << 20, `grew by ${(peak - before) >> 20} MiB`);
});

for (const stdout of ['pipe', 'file'] as const) {
  test(`a paused ${stdout} delivers nothing, not even the exit, and loses nothing`, async () => {
    const agent = await start(['exits-with.js'], { argv: ['sh', '-c', 'echo one; echo two'], stdout });
    agent.running.pause();
    await until('the program is gone', () => !isAlive(agent.running.pid));
    // Another one from start to end, so that the paused one has had its time.
    const other = await start(['exits-with.js']);
    await other.exited;
    await other.end();
    assert.equal(agent.lines, []);
    assert.not.ok(agent.isOver());
    agent.running.resume();
    assert.equal(await agent.exited, { code: 0, signal: null });
    assert.equal(agent.lines, ['one', 'two']);
    assert.equal(await agent.end(), []);
  });
}

test('a program waits for a paused reader, and goes on with it', async () => {
  const paused = await start(['streams.js', '32']);
  paused.running.pause();
  const before = paused.lines.length;
  // The same program, not paused, is the clock.
  const free = await start(['streams.js', '32']);
  await free.exited;
  await free.end();
  assert.ok(isAlive(paused.running.pid));
  assert.is(paused.lines.length, before);
  paused.running.resume();
  assert.equal(await paused.exited, { code: 0, signal: null });
  assert.is(paused.lines.length, free.lines.length);
  assert.equal(await paused.end(), []);
});

test('a paused reader with a child that holds the pipe still gets all of it and the exit', async () => {
  const agent = await start(['holds-stdout.js']);
  agent.running.pause();
  await until('the leader is gone', () => !isAlive(agent.running.pid));
  assert.not.ok(agent.isOver());
  agent.running.resume();
  assert.equal(await agent.exited, { code: 0, signal: null });
  assert.equal(agent.lines, ['leader done']);
  assert.equal(await agent.end(), []);
});

test('a paused program can be ended', async () => {
  const agent = await start(['streams.js', '32']);
  agent.running.pause();
  assert.equal(await agent.running.end({ termMs: 100 }), { survivors: [] });
  agent.running.resume();
  assert.equal(await agent.exited, { code: null, signal: 'SIGTERM' });
  await agent.end();
});

test.run();
