// limit: 240s
// Unbreakable rule 4 of the contract, over the real command line: how long an end may take.
import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { parseObject } from '../../src/text/json.js';
import { demo, isType, leftovers, marked, place, type Running, TURNOUT, textOf, WATCHDOG_MS } from './cli.js';
import { endsByItself, errorCode, linux } from './ending.js';
import { orderFault } from './order.js';

const test = suite('rules about the end');

test('4: a runtime that ignores everything is ended in time', async () => {
  const ways: [string, (running: Running) => void, number][] = [
    ['cancel frame', (running) => running.send({ type: 'cancel' }), 130],
    ['SIGTERM', (running) => void running.child.kill('SIGTERM'), 130],
    ['SIGINT', (running) => void running.child.kill('SIGINT'), 130],
    ['SIGHUP', (running) => void running.child.kill('SIGHUP'), 130],
  ];
  for (const [name, end, code] of ways) {
    const running = demo('hang hard');
    await running.event(isType('assistant'));
    end(running);
    const ended = await endsByItself(running);
    assert.is(orderFault(ended.events), null, name);
    assert.equal([errorCode(ended.events), ended.code], ['cancelled', code], name);
  }
});

test('4: a second cancel skips the waiting and still ends in order', async () => {
  const running = demo('hang hard');
  await running.event(isType('assistant'));
  running.send({ type: 'cancel' });
  running.send({ type: 'cancel' });
  running.child.kill('SIGTERM');
  const ended = await endsByItself(running);
  assert.is(orderFault(ended.events), null);
  assert.is(ended.code, 130);
});

test('4: an expired limit ends the turn in time', async () => {
  for (const [flag, reason] of [
    ['--timeout', 'deadline'],
    ['--idle-timeout', 'idle'],
  ] as const) {
    const running = demo('hang hard', [flag, '1500ms']);
    await running.event(isType('assistant'));
    const ended = await endsByItself(running);
    assert.is(orderFault(ended.events), null);
    const error = ended.events.find(isType('error'));
    assert.equal([error?.['code'], error?.['reason'], ended.code], ['timeout', reason, 124]);
  }
});

test('4: an expired limit ends the turn in time although nobody reads', async () => {
  const running = demo('big 20 then hang hard', ['--timeout', '2s'], { read: false });
  const ended = await endsByItself(running);
  assert.is(ended.code, 124);
});

test('4: a cancel ends the turn in time although nobody reads', async () => {
  const running = demo('big 20 then hang hard', [], { read: false });
  await fullPipe(running);
  running.send({ type: 'cancel' });
  const ended = await endsByItself(running);
  assert.is(ended.code, 130);
});

/** Until something is in the pipe, and then as long as a stalled reader would matter. */
async function fullPipe(running: Running): Promise<void> {
  await new Promise((resolve) => running.child.stdout?.once('readable', resolve));
  await new Promise((resolve) => setTimeout(resolve, 1500));
}

/** Reads what a stalled reader left in the pipe, to the end. */
async function readAll(running: Running): Promise<JsonObject[]> {
  const chunks: Buffer[] = [];
  const closed = new Promise((resolve) => running.child.stdout?.on('close', resolve));
  running.child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  running.child.stdout?.resume();
  // Node throws away what nobody had read when the process ended.
  if (!running.child.stdout?.closed) await closed;
  const lines = Buffer.concat(chunks).toString('utf8').trimEnd().split('\n');
  return lines.map((line) => parseObject(line) ?? {});
}

/** Until the runtime has ended and only we are left. */
async function alone(running: Running): Promise<void> {
  const until = Date.now() + WATCHDOG_MS;
  while (marked(running.place.mark).length > 1 && Date.now() < until) await new Promise((r) => setTimeout(r, 20));
}

test('4: a slow reader is waited for, holds the runtime back and gets everything', async () => {
  const running = demo('big 20', [], { read: false });
  await fullPipe(running);
  if (linux) assert.ok(marked(running.place.mark).length >= 2, 'the runtime is held back');
  const events = await readAll(running);
  assert.is((await running.ended).code, 0);
  assert.is(orderFault(events), null);
  assert.is(Buffer.byteLength(textOf(events)), 20 * 1024 * 1024);
});

test('4: a slow reader is waited for after the runtime has ended, too', async () => {
  if (!linux) return console.log('SKIPPED: needs /proc');
  const running = demo('long', [], { read: false });
  await fullPipe(running);
  await alone(running);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const events = await readAll(running);
  assert.is((await running.ended).code, 0);
  assert.is(orderFault(events), null);
  assert.is(textOf(events).length, 64 * 1024);
});

test('4: a reader that leaves after the runtime has ended gets 130', async () => {
  if (!linux) return console.log('SKIPPED: needs /proc');
  const running = demo('long', [], { read: false });
  await fullPipe(running);
  await alone(running);
  running.child.stdout?.destroy();
  assert.is((await endsByItself(running)).code, 130);
});

test('4: a broken stdout ends the turn with 130', async () => {
  for (const prompt of ['slow 200', 'big 40', 'long then hang hard']) {
    const running = demo(prompt, [], { read: false });
    await new Promise((resolve) => running.child.stdout?.once('readable', resolve));
    running.child.stdout?.destroy();
    const ended = await endsByItself(running);
    assert.is(ended.code, 130, prompt);
  }
});

/** A turn that says nothing, whose stdout is a pipe or a named pipe of the shell, read by that command. */
async function silentInto(kind: 'pipe' | 'named pipe', reader: string, flags: string): Promise<string> {
  const where = place();
  const turn = `"$0" "$1" agent exec --runtime demo --prompt 'hang hard' ${flags}`;
  const script =
    kind === 'pipe'
      ? `{ ${turn}; echo $? >code; } | ${reader}`
      : `mkfifo out && { ${reader} <out & ${turn} >out; echo $? >code; }`;
  const child = spawn('/bin/sh', ['-c', script, process.execPath, TURNOUT], {
    cwd: where.cwd,
    env: where.env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const timer = setTimeout(() => {
    for (const pid of marked(where.mark)) process.kill(pid, 'SIGKILL');
  }, WATCHDOG_MS);
  await new Promise((resolve) => child.on('exit', resolve));
  clearTimeout(timer);
  assert.equal(await leftovers(where.mark), []);
  return readFileSync(join(where.cwd, 'code'), 'utf8').trim();
}

const LEAVES = `sed '/"assistant"/q'`;

test('4, 7: a reader that leaves while nothing is said ends the turn with 130', async () => {
  if (process.platform === 'win32') return console.log('SKIPPED: nothing but a write tells there');
  assert.is(await silentInto('pipe', LEAVES, ''), '130');
  assert.is(await silentInto('named pipe', LEAVES, ''), '130');
  const running = demo('hang hard', [], { read: false });
  await new Promise<void>((resolve) => {
    running.child.stdout?.on('data', (some) => String(some).includes('"assistant"') && resolve());
  });
  running.child.stdout?.destroy();
  assert.is((await endsByItself(running)).code, 130);
});

test('4, 7: a reader that stays is no reason to end, however silent the turn is', async () => {
  if (process.platform === 'win32') return console.log('SKIPPED: nothing but a write tells there');
  assert.is(await silentInto('pipe', 'cat', '--timeout 3s'), '124');
  assert.is((await endsByItself(demo('hang hard', ['--timeout', '3s']))).code, 124);
});

test('4: a full disk ends the turn with 130', async () => {
  if (!linux) return console.log('SKIPPED: needs /dev/full');
  const where = place();
  const child = spawn(process.execPath, [TURNOUT, 'agent', 'exec', '--runtime', 'demo', '--prompt', 'slow 200'], {
    env: where.env,
    stdio: ['pipe', openSync('/dev/full', 'w'), 'ignore'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), WATCHDOG_MS);
  const code = await new Promise((resolve) => child.on('exit', resolve));
  clearTimeout(timer);
  assert.is(code, 130);
  assert.equal(await leftovers(where.mark), []);
});

test.run();
