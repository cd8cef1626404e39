// limit: 240s
// How a turn ends on Windows.
import { spawn } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { demo, isType, TURNOUT } from '../contract/cli.js';
import { endsByItself } from '../contract/ending.js';
import { isAlive, scene, until } from './scene.js';

const test = suite('endings on Windows');

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
const args = [turnout, 'agent', 'exec', '--runtime', 'demo', '--prompt', 'hang'];
const child = spawn(process.execPath, args, { stdio: 'pipe', detached: detached === 'detached' });
child.stdout.once('data', () => console.log(child.pid));
setInterval(() => {}, 1000);
`;

for (const kind of ['attached', 'detached']) {
  test(`a host that dies takes its ${kind} turn along`, async () => {
    const where = scene();
    const host = spawn(process.execPath, ['-e', HOST, TURNOUT, kind], { ...where, stdio: ['pipe', 'pipe', 'inherit'] });
    const pid = await new Promise<number>((resolve) => host.stdout.once('data', (text) => resolve(Number(text))));
    assert.ok(isAlive(pid));
    host.kill('SIGKILL');
    await until('the turn is gone', () => !isAlive(pid));
  });
}

test.run();
