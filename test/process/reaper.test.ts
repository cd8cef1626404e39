// limit: 120s
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { REAPER_SCRIPT } from '../../src/process/reaper.js';
import { bin, start } from './agent.js';
import { host, hostProgram, reapersOf } from './hosted.js';
import { isAlive, isMarked, survivors, until } from './survivors.js';

const test = suite('reaper');

/** Nothing of the turn is left: no process with its marker, not those named, no private folder, no reaper. */
async function vanishes(turnId: string, pids: readonly number[], dir: unknown): Promise<void> {
  const marker = { name: 'TURNOUT_TURN', value: turnId };
  await until('the tree is gone', () => survivors(marker).length === 0 && !pids.some(isAlive));
  await until('the private folder is gone', () => !existsSync(String(dir)));
  await until('the reaper is gone', () => reapersOf(turnId).length === 0);
  assert.equal(survivors(marker), []);
}

for (const [agent, ready] of [
  [['ignores-sigterm.js'], 'ready'],
  [['obeys-sigterm.js'], 'ready'],
  [['double-forks.js'], null],
  [['double-forks.js', 'stays'], null],
  [['hides-its-child.js'], null],
  [['forks-forever.js'], 'ready'],
  [['holds-stdout.js'], 'leader done'],
] as const) {
  for (const whole of agent[0] === 'ignores-sigterm.js' ? [false, true] : [true]) {
    test(`when ${whole ? 'our whole group is' : 'we are'} killed, ${agent.join(' ')} is gone with all it started`, async () => {
      const hosted = await host([...agent], { detached: whole });
      const line = await hosted.hears('line');
      if (ready !== null) assert.is(line, ready);
      const pid = Number(await hosted.hears('pid'));
      const dir = await hosted.hears('dir');
      assert.ok(existsSync(String(dir)));
      process.kill(whole ? -hosted.pid : hosted.pid, 'SIGKILL');
      await vanishes(hosted.marker.value, [pid, ...(ready === null ? [Number(line)] : [])], dir);
    });
  }
}

test('a kill at any moment around the spawn leaves nothing', async () => {
  await hostProgram();
  // Between the folder and the spawn lie a few milliseconds: spread the kills over them.
  const kill = async (turns: number) => {
    const hosted = await host(['ignores-sigterm.js']);
    const dir = await hosted.hears('dir');
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    process.kill(hosted.pid, 'SIGKILL');
    await until('the host is gone', () => !isAlive(hosted.pid));
    await vanishes(hosted.marker.value, [], dir);
  };
  for (const turns of [0, 40, 100, 160, 250, 400]) await Promise.all([kill(turns), kill(turns + 20)]);
});

test('it has no marker, none of our descriptors, and a session without us', async () => {
  const agent = await start(['ignores-sigterm.js']);
  await agent.said('ready');
  await until('the reaper runs', () => reapersOf(agent.marker.value).length === 1);
  const [reaper = -1] = reapersOf(agent.marker.value);
  assert.not.ok(isMarked(reaper, `${agent.marker.name}=${agent.marker.value}`));
  const links = readdirSync(`/proc/${reaper}/fd`).map((fd) => readlinkSync(`/proc/${reaper}/fd/${fd}`));
  for (const stream of [0, 1, 2]) {
    const ours = readlinkSync(`/proc/self/fd/${stream}`);
    if (ours !== '/dev/null') assert.not.ok(links.includes(ours), `it holds our descriptor ${stream}`);
  }
  assert.is(readlinkSync(`/proc/${reaper}/cwd`), '/');
  assert.equal(await agent.end({ now: true }), []);
  await until('the reaper is gone', () => reapersOf(agent.marker.value).length === 0);
});

test('it leaves after an orderly end and after a failed start', async () => {
  const agent = await start(['exits-with.js']);
  await agent.exited;
  await agent.end();
  await until('the reaper is gone', () => reapersOf(agent.marker.value).length === 0);
  const marker = { name: 'TURNOUT_TURN', value: `failed-${process.pid}` };
  const failed = await start(['/no/such/program'], { marker }).then(
    () => false,
    () => true,
  );
  assert.ok(failed);
  await until('the reaper is gone', () => reapersOf(marker.value).length === 0);
});

test('signals that end a shell do not end it', async () => {
  const hosted = await host(['ignores-sigterm.js']);
  const pid = Number(await hosted.hears('pid'));
  const dir = await hosted.hears('dir');
  await until('the reaper runs', () => reapersOf(hosted.marker.value).length === 1);
  const [reaper = -1] = reapersOf(hosted.marker.value);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const) process.kill(reaper, signal);
  process.kill(hosted.pid, 'SIGKILL');
  await vanishes(hosted.marker.value, [pid], dir);
});

for (const [name, shell, change] of [
  ['run by bash', 'bash', (script: string) => script],
  [
    'where grep knows no NUL-separated lines, as in busybox',
    '/bin/sh',
    (script: string) => script.replace('grep -qzxF', 'false'),
  ],
  ['where sleep knows no part of a second', '/bin/sh', (script: string) => script.replace('sleep 0.05', 'false')],
  ['where there is no /proc', '/bin/sh', (script: string) => script.replaceAll('/proc/self/environ', '/no/such/file')],
] as const) {
  test(`${name}, it ends a child in another session too`, async () => {
    const script = change(REAPER_SCRIPT);
    assert.is(script === REAPER_SCRIPT, shell === 'bash');
    const marker = { name: 'TURNOUT_TURN', value: `script-${process.pid}-${name.length}` };
    // Without /proc only its parent leads to the child, elsewhere only its marker.
    const agent = name.includes('no /proc') ? 'hides-its-child.js' : 'double-forks.js';
    const dir = mkdtempSync(join(tmpdir(), 'turnout-'));
    const leader = spawn(process.execPath, [bin(agent)], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, [marker.name]: marker.value },
    });
    const said: string[] = [];
    leader.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
    await until('the child is told', () => said.length > 0);
    const child = Number(said.join(''));
    assert.ok(isAlive(child));
    const reaper = spawn(
      shell,
      ['-c', 'eval "$REAPER_SCRIPT"', 'turnout-reaper', `${marker.name}=${marker.value}`, dir],
      {
        stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
        env: { PATH: process.env['PATH'] ?? '', REAPER_SCRIPT: script },
      },
    );
    const pipe = reaper.stdio[3];
    assert.ok(pipe instanceof Socket);
    if (pipe instanceof Socket) pipe.end(`g ${leader.pid}\n`);
    await until('all is gone', () => !isAlive(child) && !isAlive(leader.pid ?? -1) && !existsSync(dir));
    await until('the reaper is gone', () => reapersOf(marker.value).length === 0);
  });
}

test('it removes no folder that is not a private one of ours', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'not-ours-'));
  const reaper = spawn(
    '/bin/sh',
    ['-c', 'eval "$REAPER_SCRIPT"', 'turnout-reaper', 'TURNOUT_TURN=nobody-at-all', dir],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '', REAPER_SCRIPT },
    },
  );
  await until('it runs', () => reapersOf('nobody-at-all').length === 1);
  const pipe = reaper.stdio[3];
  if (pipe instanceof Socket) pipe.destroy();
  await until('the reaper is gone', () => reapersOf('nobody-at-all').length === 0);
  assert.ok(existsSync(dir));
  rmSync(dir, { recursive: true });
});

test('an outer turn that kills its descendants takes an inner turn with it, the inner runtime too', async () => {
  const inner = `inner-${process.pid}-${Date.now()}`;
  const agent = await start(['host'], { argv: [process.execPath, await hostProgram(), inner, 'ignores-sigterm.js'] });
  const marker = { name: 'TURNOUT_TURN', value: inner };
  await until('the inner runtime is ready', () => agent.lines.some((line) => line.includes('"ready"')));
  assert.is(survivors(marker).length, 1);
  assert.equal(await agent.end({ now: true }), []);
  await until('the inner runtime is gone', () => survivors(marker).length === 0 && reapersOf(inner).length === 0);
});

test.run();
