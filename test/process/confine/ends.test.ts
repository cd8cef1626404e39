// limit: 120s
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findBwrap } from '../../../src/process/confine/bwrap.js';
import { bwrapArgs, type Walls } from '../../../src/process/confine/walls.js';
import { STATUS_FD } from '../../../src/process/launch.js';
import { type Agent, start } from '../agent.js';
import { survivors, until } from '../survivors.js';
import { canConfine, place, walls } from './walled.js';

const test = suite('ends inside walls');

const wall = (changes: Partial<Walls> = {}) => ({
  path: findBwrap()?.path ?? '',
  args: bwrapArgs(walls(process.cwd(), { writes: false, ...changes }), STATUS_FD),
});

/** Leaves a process without our marker, out of its group: without walls nothing finds it. */
const LEAVES = `(setsid env -i sh -c 'trap "" HUP TERM; echo gone >&2; sleep 300' >/dev/null 2>&1 &) ; echo left`;

/** Processes anywhere whose command line holds a text. */
function running(text: string): number {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  }).length;
}

if (canConfine()) {
  test('a program that obeys SIGTERM may clean up, and its exit code passes', async () => {
    const agent = await start(['obeys-sigterm.js'], { wall: wall() });
    await agent.said('ready');
    assert.equal(await agent.end({ termMs: 60_000 }), []);
    assert.equal(await agent.exited, { code: 0, signal: null });
    assert.equal(agent.lines, ['ready', 'cleaned up']);
  });

  test('one that ignores SIGTERM is killed', async () => {
    const agent = await start(['ignores-sigterm.js'], { wall: wall() });
    await agent.said('ready');
    assert.equal(await agent.end({ termMs: 200 }), []);
    assert.equal(survivors(agent.marker), []);
  });

  for (const [name, args, end] of [
    ['exits-with.js', ['7'], { code: 7, signal: null }],
    ['dies-by-signal.js', ['SIGKILL'], { code: null, signal: 'SIGKILL' }],
    ['dies-by-signal.js', ['SIGSEGV'], { code: null, signal: 'SIGSEGV' }],
  ] as const) {
    test(`the end of ${name} ${args[0]} is told as without walls`, async () => {
      const agent = await start([name, ...args], { wall: wall() });
      assert.equal(await agent.exited, end);
      await agent.end();
    });
  }

  test('what left the group with an empty environment is gone, whatever ends the turn', async () => {
    for (const how of ['normal', 'now', 'term'] as const) {
      const mark = `300.${process.pid}${how.length}`;
      const script = LEAVES.replace('sleep 300', `sleep ${mark}`) + (how === 'normal' ? '; sleep 0.2' : '; sleep 60');
      const agent: Agent = await start(['sh', '-c', script], { wall: wall() });
      await agent.said('left');
      if (how === 'normal') await agent.exited;
      assert.equal(await agent.end({ now: how === 'now', termMs: 100 }), []);
      await until('it is gone', () => running(`sleep\0${mark}`) === 0);
    }
  });

  test('thousands of mounts need no long command line', async () => {
    const here = place();
    try {
      const many = Array.from({ length: 2000 }, (_, index) => join(here.cwd, `folder-${index}`));
      for (const folder of many) mkdirSync(folder);
      writeFileSync(join(here.cwd, 'seen'), 'x');
      const agent = await start(['sh', '-c', 'echo x > folder-1999/new || echo held'], {
        cwd: here.cwd,
        wall: wall({ cwd: here.cwd, start: here.cwd, writes: true, git: many }),
      });
      assert.equal((await agent.exited).code, 0);
      assert.equal(agent.lines, ['held']);
      await agent.end();
    } finally {
      here.remove();
    }
  });

  test('walls that can not be built are told from a program that fails', async () => {
    const agent = await start(['sh', '-c', 'echo ran'], {
      wall: { path: findBwrap()?.path ?? '', args: [...wall().args, '--bind', '/does/not/exist', '/mnt'] },
    });
    assert.equal((await agent.exited).code, 1);
    assert.ok(agent.errors.some((line) => /could not be built/.test(line)));
    assert.equal(agent.lines, []);
    await agent.end();
  });
}

test.run();
