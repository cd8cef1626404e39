// limit: 240s
// How a turn ends on Windows, and what lives on then: nothing.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { demo, isType, type Place, type Running, TURNOUT } from '../contract/cli.js';
import { endsByItself, errorCode } from '../contract/ending.js';
import { orderFault } from '../contract/order.js';
import { scratch } from '../contract/scratch.js';
import { exec, isAlive, living, program, scene, until } from './scene.js';

const test = suite('endings on Windows');

/** A turn of a runtime that starts three programs, each in another way. */
function tree(mode: string, args: readonly string[] = []): { running: Running; folder: string } {
  const { where, folder } = place(mode);
  return { running: exec('crush', ['--prompt', 'x', ...args], where), folder };
}

function place(mode: string): { where: Place; folder: string } {
  const bin = scratch('tree');
  program('tree.exe', bin, 'crush.exe');
  const where = scene([bin]);
  const folder = join(where.cwd, '..', 'held');
  mkdirSync(folder);
  Object.assign(where.env, { TREE_FOLDER: folder, TREE_MODE: mode });
  return { where, folder };
}

for (const [mode, code] of [
  ['end', 0],
  ['crash', 1],
] as const) {
  test(`the runtime's own end (${mode}): nothing that it started lives on`, async () => {
    const { running, folder } = tree(mode);
    const ended = await running.ended;
    assert.is(ended.code, code);
    assert.is(orderFault(ended.events), null);
    assert.equal(living(folder), []);
  });
}

const WAYS: [string, string[], (running: Running) => unknown, string, number][] = [
  ['a cancel frame', [], (running) => running.send({ type: 'cancel' }), 'cancelled', 130],
  ['two cancel frames', [], (running) => [1, 2].map(() => running.send({ type: 'cancel' })), 'cancelled', 130],
  ['an expired limit', ['--timeout', '4s'], () => undefined, 'timeout', 124],
  ['silence', ['--idle-timeout', '2s'], () => undefined, 'timeout', 124],
];
for (const [name, args, end, error, code] of WAYS) {
  test(`${name}: in time and in order, and nothing lives on`, async () => {
    const { running, folder } = tree('hang', args);
    await running.event(isType('assistant'));
    assert.equal(living(folder).sort(), ['attached', 'detached', 'leader', 'started']);
    end(running);
    const ended = await endsByItself(running);
    assert.is(orderFault(ended.events), null);
    assert.equal([errorCode(ended.events), ended.code], [error, code]);
    assert.equal(living(folder), []);
  });
}

test('a host that closes our stdout: with the next line all is over', async () => {
  const { running, folder } = tree('talk');
  await running.event(isType('assistant'));
  running.child.stdout?.destroy();
  await until('turnout ends', () => running.child.exitCode !== null, 20_000);
  assert.is(running.child.exitCode, 130);
  assert.equal(living(folder), []);
});

test('our own sudden death: nothing lives on', async () => {
  const { running, folder } = tree('hang');
  await running.event(isType('assistant'));
  running.child.kill('SIGKILL');
  await running.ended;
  await until('all are gone', () => living(folder).length === 0);
});

test('a cancel frame is read without --tools and --approvals', async () => {
  const running = demo('hang hard', [], { place: scene() });
  await running.event(isType('assistant'));
  running.send({ type: 'cancel' });
  assert.is((await endsByItself(running)).code, 130);
});

test('nobody reads: an expired limit and a cancel end the turn all the same', async () => {
  const late = demo('big 20 then hang hard', ['--timeout', '2s'], { place: scene(), read: false });
  assert.is((await endsByItself(late)).code, 124);
  const cancelled = demo('big 20 then hang hard', [], { place: scene(), read: false });
  await new Promise((resolve) => cancelled.child.stdout?.once('readable', resolve));
  cancelled.send({ type: 'cancel' });
  assert.is((await endsByItself(cancelled)).code, 130);
});

/** A host that starts a turn, says its pid and waits to be killed. */
const HOST = `
const { spawn } = require('node:child_process');
const [turnout, detached] = process.argv.slice(1);
const args = [turnout, 'agent', 'exec', '--runtime', 'crush', '--prompt', 'x'];
const child = spawn(process.execPath, args, { stdio: 'pipe', detached: detached === 'detached' });
let text = '';
child.stdout.on('data', (part) => { text += part; if (text.includes('"assistant"')) console.log(child.pid); });
setInterval(() => {}, 1000);
`;

for (const kind of ['attached', 'detached']) {
  test(`a host that dies takes its ${kind} turn along, and all that runs in it`, async () => {
    const { where, folder } = place('hang');
    const host = spawn(process.execPath, ['-e', HOST, TURNOUT, kind], { ...where, stdio: ['pipe', 'pipe', 'inherit'] });
    const pid = await new Promise<number>((resolve) => host.stdout.once('data', (text) => resolve(Number(text))));
    assert.ok(isAlive(pid));
    assert.is(living(folder).length, 4);
    host.kill('SIGKILL');
    await until('the turn is gone', () => !isAlive(pid));
    await until('all are gone', () => living(folder).length === 0);
  });
}

test.run();
