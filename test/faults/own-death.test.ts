// limit: 180s
// Our own trouble over the real command line: no room on the disk, no descriptors left, killed while files are about,
// asked to end twice. What the rules' own tests show (a dead host, a broken or stalled stdout) is not repeated here.

import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseObject } from '../../src/text/json.js';
import { demo, isType, leftovers, type Place, place, run, TURNOUT, WATCHDOG_MS } from '../contract/cli.js';
import { endsByItself, errorCode, linux } from '../contract/ending.js';
import { orderFault } from '../contract/order.js';
import { runProgram } from '../run-program.js';
import { dice } from './random.js';
import { soakTurn } from './soak.js';
import { placeOf } from './turn.js';

const test = suite('our own death');
const SERVERS = JSON.stringify({ mcpServers: { files: { command: 'true', args: [] } } });

/** Where no file may grow at all, as on a full disk: every write to one fails, pipes still work. */
function onFullDisk(where: Place, args: readonly string[]) {
  const script = 'trap "" XFSZ; ulimit -f 0; exec "$0" "$@"';
  const ran = runProgram(
    '/bin/sh',
    ['-c', script, process.execPath, TURNOUT, 'agent', 'exec', '--prompt', 'hi', ...args],
    {
      cwd: where.cwd,
      env: where.env,
      input: '',
    },
  );
  const events = ran.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseObject(line) ?? {});
  return { code: ran.status, events, stderr: ran.stderr };
}

test('no room for temporary files fails the turn with words and leaves nothing', async () => {
  const where = placeOf(['answers.js']);
  const servers = join(where.cwd, 'servers.json');
  writeFileSync(servers, SERVERS);
  const { code, events } = onFullDisk(where, ['--runtime', 'claude', '--mcp-config', servers]);
  assert.is(orderFault(events), null, JSON.stringify(events));
  assert.equal([code, errorCode(events)], [1, 'runner-error']);
  assert.match(String(events.find(isType('error'))?.['message']), /EFBIG|too large/);
  assert.equal(readdirSync(where.env['TMPDIR'] ?? ''), []);
});

test('no room for a recording ends the recording, not the turn', async () => {
  const where = place();
  const { code, events, stderr } = onFullDisk(where, ['--runtime', 'demo', '--record', join(where.cwd, 'turn.ndjson')]);
  assert.is(orderFault(events), null);
  assert.is(code, 0, stderr);
  assert.match(stderr, 'the recording');
});

test('a device that is named for the recording keeps its mode', async () => {
  const before = statSync('/dev/null').mode;
  const running = demo('hi', ['--record', '/dev/null'], { stdin: 'closed' });
  assert.is((await endsByItself(running)).code, 0);
  assert.is(statSync('/dev/null').mode, before);
});

test('a cancel ends the turn in time although no descriptor is left', async () => {
  if (!linux || runProgram('prlimit', ['--version']).status !== 0) return console.log('SKIPPED: needs prlimit');
  const running = demo('hang hard');
  await running.event(isType('assistant'));
  runProgram('prlimit', ['--pid', String(running.child.pid), '--nofile=3:3']);
  running.send({ type: 'cancel' });
  const ended = await endsByItself(running);
  assert.is(orderFault(ended.events), null);
  assert.equal([errorCode(ended.events), ended.code], ['cancelled', 130]);
});

test('too few descriptors to start with: a whole turn or none', async () => {
  const where = place();
  for (const most of [20, 36, 40, 41, 42, 43, 44, 48]) {
    const script = `ulimit -n ${most}; exec "$0" "$@"`;
    const args = ['-c', script, process.execPath, TURNOUT, 'agent', 'exec', '--runtime', 'demo', '--prompt', 'hi'];
    const ran = runProgram('/bin/sh', args, { env: where.env, cwd: where.cwd, input: '' });
    const events = ran.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => parseObject(line) ?? {});
    if (events.length > 0) assert.is(orderFault(events), null, `${most} descriptors`);
    else assert.is.not(ran.status, 0);
    assert.equal(await leftovers(where.mark), []);
  }
});

test('SIGINT twice, at any moment, ends in order', async () => {
  for (const wait of [0, 60, 120, 180, 240, 400]) {
    const running = demo('hang hard');
    running.watch();
    await new Promise((resolve) => setTimeout(resolve, wait));
    running.child.kill('SIGINT');
    running.child.kill('SIGINT');
    const ended = await endsByItself(running);
    // Before we listen to signals, it just ends us, and nothing has begun.
    if (ended.signal === null) assert.is(orderFault(ended.events), null, JSON.stringify(ended.events));
    else assert.equal(ended.events, []);
  }
});

test('a kill while private files are about leaves none', async () => {
  if (!linux) return console.log('SKIPPED: needs /proc');
  const where = placeOf(['answers-and-stays.js']);
  const servers = join(where.cwd, 'servers.json');
  writeFileSync(servers, SERVERS);
  const folder = where.env['TMPDIR'] ?? '';
  const args = ['agent', 'exec', '--runtime', 'claude', '--prompt', 'hi', '--mcp-config', servers];
  const running = run(args, { place: where });
  const until = Date.now() + WATCHDOG_MS;
  // As soon as there is a folder, before or after there is a runtime.
  while (readdirSync(folder).length === 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 1));
  running.child.kill('SIGKILL');
  await running.ended;
  assert.equal(await leftovers(where.mark), []);
  while (readdirSync(folder).length > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(readdirSync(folder), []);
});

test('a small soak: random kills of us, the runtime and grandchildren', async () => {
  if (!linux) return console.log('SKIPPED: needs /proc');
  for (let seed = 1; seed <= 16; seed++) {
    const { victim, prompt, wrong } = await soakTurn(dice(seed));
    assert.is(wrong, null, `${victim} was killed during ${prompt} (seed ${seed})`);
  }
});

test.run();
