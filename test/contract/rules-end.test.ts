// limit: 240s
// Unbreakable rules 3, 4 and 7 of the contract, over the real command line.
import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { parseObject } from '../../src/text/json.js';
import { demo, type Ended, isType, leftovers, marked, place, type Running, textOf, TURNOUT, WATCHDOG_MS } from './cli.js';
import { orderFault } from './order.js';

const test = suite('rules about the end');
const linux = process.platform === 'linux';
const WITHOUT_BOUNDS = ['--access', 'full', '--allow-root'];

const errorCode = (events: readonly JsonObject[]) => events.find(isType('error'))?.['code'];

/** Waits for the end under the watchdog: it came by itself, and nothing is left. */
async function endsByItself(running: Running): Promise<Ended> {
  running.watch();
  const ended = await running.ended;
  assert.not.ok(ended.late, 'had to be ended by the watchdog');
  assert.equal(await leftovers(running.place.mark), [], 'something is left');
  return ended;
}

/** Until at least so many processes with the mark are there. */
async function crowd(mark: string, count: number): Promise<void> {
  const until = Date.now() + WATCHDOG_MS;
  while (marked(mark).length < count && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('3: when we are killed, the runtime goes too', async () => {
  if (!linux) return console.log('SKIPPED: needs /proc');
  for (const prompt of ['hang', 'hang hard']) {
    const running = demo(prompt);
    await running.event(isType('assistant'));
    assert.ok(marked(running.place.mark).length >= 2, 'us and the runtime');
    running.child.kill('SIGKILL');
    await running.ended;
    assert.equal(await leftovers(running.place.mark), [], prompt);
  }
});

test('3: when our whole process group is killed, the runtime goes too', async () => {
  if (!linux) return console.log('SKIPPED: needs /proc');
  const running = demo('hang hard');
  await running.event(isType('assistant'));
  process.kill(-(running.child.pid ?? 0), 'SIGKILL');
  await running.ended;
  assert.equal(await leftovers(running.place.mark), []);
});

test('3: what a command left in the background goes with a good turn', async () => {
  if (!linux) return console.log('SKIPPED: needs /proc');
  const quiet = '>/dev/null 2>&1 </dev/null &';
  const running = demo(`shell sleep 300 ${quiet} setsid sleep 300 ${quiet} (trap "" TERM; sleep 300) ${quiet} echo left`, WITHOUT_BOUNDS);
  const ended = await endsByItself(running);
  assert.is(ended.code, 0, ended.lines.join('\n'));
  assert.match(textOf(ended.events), /left/);
});

test('3: what a command left in the background goes when we are killed', async () => {
  if (!linux) return console.log('SKIPPED: needs /proc');
  const quiet = '>/dev/null 2>&1 </dev/null &';
  const running = demo(`shell sleep 300 ${quiet} setsid sleep 300 ${quiet} echo left then hang hard`, WITHOUT_BOUNDS);
  await running.event((event) => event['text'] === 'Waiting…');
  await crowd(running.place.mark, 4);
  running.child.kill('SIGKILL');
  await running.ended;
  assert.equal(await leftovers(running.place.mark), []);
});

test('3: cancelled is told when the tree is gone', async () => {
  if (!linux) return console.log('SKIPPED: needs /proc');
  let alive: number[] = [];
  const running = demo('shell setsid sleep 300 & sleep 300', WITHOUT_BOUNDS, {
    onEvent(event, self) {
      if (event['type'] !== 'error') return;
      alive = marked(self.place.mark).filter((pid) => pid !== self.child.pid);
    },
  });
  await running.event(isType('tool_activity'));
  await crowd(running.place.mark, 4);
  running.send({ type: 'cancel' });
  const ended = await endsByItself(running);
  assert.equal([errorCode(ended.events), ended.code], ['cancelled', 130]);
  assert.equal(alive, []);
});

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
  for (const [flag, reason] of [['--timeout', 'deadline'], ['--idle-timeout', 'idle']] as const) {
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

/** A host that starts us with a pipe as stdin and its own stdout, then waits to be killed. */
const HOST = `
  const { spawn } = require('node:child_process');
  const [, program, ...args] = process.argv;
  spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'inherit', 'inherit'] });
  setInterval(() => {}, 1000);
`;

interface HostRun {
  kill(): void;
  events: JsonObject[];
  said: Promise<void>;
  closed: Promise<void>;
  mark: string;
}

function underHost(prompt: string, stdout: 'pipe' | number): HostRun {
  const where = place();
  const args = ['agent', 'exec', '--runtime', 'demo', '--prompt', prompt];
  const host = spawn(process.execPath, ['-e', HOST, TURNOUT, ...args], { env: where.env, stdio: ['ignore', stdout, 'ignore'] });
  const events: JsonObject[] = [];
  let rest = '';
  let spoke = () => {};
  const said = new Promise<void>((resolve) => {
    spoke = resolve;
  });
  const closed = new Promise<void>((resolve) => host.on('close', () => resolve()));
  host.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) events.push(parseObject(line) ?? { type: line });
    if (events.some(isType('assistant'))) spoke();
  });
  return { kill: () => host.kill('SIGKILL'), events, said, closed, mark: where.mark };
}

test('7: the death of the host ends the turn as a cancel', async () => {
  if (!linux) return console.log('SKIPPED: needs /proc');
  const run = underHost('hang', 'pipe');
  await run.said;
  run.kill();
  assert.equal(await leftovers(run.mark), [], 'the turn goes on without its host');
  await run.closed;
  assert.is(orderFault(run.events), null, JSON.stringify(run.events));
  assert.equal([errorCode(run.events), run.events.at(-1)?.['exit_code']], ['cancelled', 130]);
});

test('7: a turn that writes into a file survives the shell that started it', async () => {
  if (!linux) return console.log('SKIPPED: needs /proc');
  const file = join(mkdtempSync(join(tmpdir(), 'turnout-file-')), 'events.ndjson');
  const run = underHost('slow 30', openSync(file, 'w'));
  const until = Date.now() + WATCHDOG_MS;
  while (!readFileSync(file, 'utf8').includes('assistant') && Date.now() < until) await new Promise((r) => setTimeout(r, 20));
  run.kill();
  assert.equal(await leftovers(run.mark), []);
  const events = readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => parseObject(line) ?? {});
  assert.is(orderFault(events), null);
  assert.match(textOf(events), /30 done\.$/);
});

test('7: a closed stdin alone changes nothing', async () => {
  const running = demo('slow 20');
  await running.event(isType('assistant'));
  running.closeStdin();
  const ended = await running.ended;
  assert.is(ended.code, 0);
  assert.match(textOf(ended.events), /20 done\.$/);
});

test.run();
