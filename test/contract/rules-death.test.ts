// limit: 240s
// Unbreakable rules 3 and 7 of the contract, over the real command line: when we or the host die.
import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { parseObject } from '../../src/text/json.js';
import { demo, isType, leftovers, marked, place, TURNOUT, textOf, WATCHDOG_MS } from './cli.js';
import { endsByItself, errorCode, linux } from './ending.js';
import { orderFault } from './order.js';
import { scratch } from './scratch.js';

const test = suite('rules about death');
const WITHOUT_BOUNDS = ['--access', 'full', '--allow-root'];

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
  const running = demo(
    `shell sleep 300 ${quiet} setsid sleep 300 ${quiet} (trap "" TERM; sleep 300) ${quiet} echo left`,
    WITHOUT_BOUNDS,
  );
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
  const host = spawn(process.execPath, ['-e', HOST, TURNOUT, ...args], {
    env: where.env,
    stdio: ['ignore', stdout, 'ignore'],
  });
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
  const file = join(scratch('file'), 'events.ndjson');
  const run = underHost('slow 30', openSync(file, 'w'));
  const until = Date.now() + WATCHDOG_MS;
  while (!readFileSync(file, 'utf8').includes('assistant') && Date.now() < until)
    await new Promise((r) => setTimeout(r, 20));
  run.kill();
  assert.equal(await leftovers(run.mark), []);
  const events = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => parseObject(line) ?? {});
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
