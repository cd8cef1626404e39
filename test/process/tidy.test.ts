import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launch } from '../../src/process/launch.js';
import { isAlive, until } from './survivors.js';

const test = suite('what a program lost');

test('what no longer descends from a program that lives on is ended; its own children are not', async () => {
  const lines: string[] = [];
  const marker = { name: 'TURNOUT_TURN', value: `tidy-${process.pid}` };
  const script = '(sleep 1000 & echo $!); sleep 1000 & echo $!; read line; kill $!';
  const child = await launch(
    {
      argv: ['/bin/sh', '-c', script],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', [marker.name]: marker.value },
      stdin: 'hold',
      stdout: 'pipe',
      marker,
    },
    { line: (text) => lines.push(text), dropped: () => {}, stderr: () => {}, exit: () => {} },
  );
  await until('both are there', () => lines.length === 2);
  const [lost = 0, own = 0] = lines.map(Number);
  assert.ok(isAlive(lost) && isAlive(own));
  await child.tidy();
  assert.not(isAlive(lost));
  assert.ok(isAlive(own));
  assert.ok(isAlive(child.pid));
  assert.equal(await child.end(), { survivors: [] });
  assert.not(isAlive(own));
});

// Without /proc a process is known by what was noted of it, every few seconds; Windows has no such thing.
if (process.platform === 'linux') test.run();
else suite('what a program lost (Linux)').run();
