// limit: 120s
import { type ChildProcess, spawn } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { treeOf } from '../../src/process/kill-tree.js';
import { bin, start } from './agent.js';
import { host } from './hosted.js';
import { isAlive, survivors, until } from './survivors.js';

const test = suite('kill tree');

test('a program that obeys SIGTERM may clean up', async () => {
  const agent = await start(['obeys-sigterm.js']);
  await agent.said('ready');
  assert.equal(await agent.end({ termMs: 60_000 }), []);
  assert.equal(await agent.exited, { code: 0, signal: null });
  assert.equal(agent.lines, ['ready', 'cleaned up']);
});

test('one that ignores SIGTERM is killed after its grace', async () => {
  const agent = await start(['ignores-sigterm.js']);
  await agent.said('ready');
  assert.equal(await agent.end({ termMs: 200 }), []);
  assert.equal(await agent.exited, { code: null, signal: 'SIGKILL' });
  assert.equal(agent.lines, ['ready', 'not yet']);
});

test('now skips SIGTERM', async () => {
  const agent = await start(['obeys-sigterm.js']);
  await agent.said('ready');
  assert.equal(await agent.end({ now: true }), []);
  assert.equal(agent.lines, ['ready']);
});

test('a second call with now does not wait for the grace of the first', async () => {
  const agent = await start(['ignores-sigterm.js']);
  await agent.said('ready');
  const first = agent.running.end({ termMs: 600_000 });
  await agent.said('not yet');
  assert.equal(await agent.running.end({ now: true }), { survivors: [] });
  assert.equal(await first, { survivors: [] });
  await agent.end();
});

for (const variant of ['leaves', 'stays']) {
  test(`a double fork into a session of its own is found when the leader ${variant}`, async () => {
    const agent = await start(['double-forks.js', variant]);
    if (variant === 'leaves') assert.equal(await agent.exited, { code: 0, signal: null });
    await until('the grandchild is told', () => agent.lines.length > 0);
    const grandchild = Number(agent.lines[0]);
    await until('it has started its own child', () => survivors(agent.marker).length >= (variant === 'stays' ? 3 : 2));
    assert.equal(await agent.end({ termMs: 100 }), []);
    assert.not.ok(isAlive(grandchild));
    assert.equal(survivors(agent.marker), []);
  });
}

test('a descendant without our marker in another session is found by its parent', async () => {
  const agent = await start(['hides-its-child.js']);
  await until('the child is told', () => agent.lines.length > 0);
  const child = Number(agent.lines[0]);
  assert.ok(isAlive(child));
  assert.equal(await agent.end({ termMs: 100 }), []);
  assert.not.ok(isAlive(child));
});

test('a descendant that left group and marker behind is ended although its parent is gone', async () => {
  const marker = { name: 'TURNOUT_TURN', value: `left-${process.pid}` };
  const leader = spawn('sh', ['-c', 'env -i setsid sleep 600 & echo $!; read line'], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, [marker.name]: marker.value },
  });
  const tree = treeOf({ pid: leader.pid ?? 0, leader, marker, noteMs: 20 });
  let said = '';
  leader.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await until('the grandchild is noted', () => said.endsWith('\n') && tree.seen().includes(Number(said)));
  const gone = new Promise((resolve) => leader.once('exit', resolve));
  leader.stdin.end('\n');
  await gone;
  assert.ok(isAlive(Number(said)));
  assert.equal(await tree.end(), { survivors: [] });
  assert.not.ok(isAlive(Number(said)));
  tree.forget();
});

test('what outlives its leader in the group is ended after the exit', async () => {
  const agent = await start(['holds-stdout.js']);
  await agent.exited;
  assert.is(survivors(agent.marker).length, 1);
  assert.equal(await agent.end(), []);
  assert.equal(survivors(agent.marker), []);
});

test('one that goes on forking does not get away', async () => {
  const agent = await start(['forks-forever.js']);
  await agent.said('ready');
  await until('it has forked', () => survivors(agent.marker).length > 5);
  assert.equal(await agent.end({ termMs: 100, killMs: 10_000 }), []);
  assert.equal(survivors(agent.marker), []);
});

test('one that hands over to a copy of itself again and again does not get away', async () => {
  const agent = await start(['relays-itself.sh']);
  await agent.exited;
  // Between two copies there is a moment in which none can be seen.
  await until('a copy is seen', () => survivors(agent.marker).length > 0);
  assert.equal(await agent.end({ termMs: 100, killMs: 10_000 }), []);
  assert.equal(survivors(agent.marker), []);
});

test('an end after the end finds nothing', async () => {
  const agent = await start(['exits-with.js']);
  await agent.exited;
  assert.equal(await agent.running.end(), { survivors: [] });
  assert.equal(await agent.end(), []);
});

test('what could not be killed is told by pid, and a later end tries again', async () => {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  const pid = child.pid ?? -1;
  let mighty = false;
  const sent: string[] = [];
  const tree = treeOf({
    pid,
    leader: child,
    marker: { name: 'TURNOUT_TURN', value: 'nobody' },
    send: (target, name) => {
      sent.push(`${name} ${target}`);
      if (mighty) process.kill(target, name);
    },
  });
  assert.equal(await tree.end({ termMs: 20, killMs: 20 }), { survivors: [pid] });
  assert.is(sent[0], `SIGTERM ${-pid}`);
  assert.is(sent.at(-1), `SIGKILL ${-pid}`);
  mighty = true;
  assert.equal(await tree.end({ termMs: 20, killMs: 10_000 }), { survivors: [] });
  await gone(child);
});

test('only an exact marker counts, and never ourselves', async () => {
  const value = `mine-${process.pid}`;
  const env = (text: string) => ({ PATH: process.env['PATH'] ?? '', ...Object.fromEntries([text.split('=')]) });
  const idle = (text: string) => spawn('sleep', ['600'], { detached: true, stdio: 'ignore', env: env(text) });
  const leader = idle(`TURNOUT_TURN=${value}`);
  const marked = idle(`TURNOUT_TURN=${value}`);
  const others = [idle(`TURNOUT_TURN=${value}x`), idle(`XTURNOUT_TURN=${value}`), idle(`OTHER=TURNOUT_TURN`)];
  const tree = treeOf({ pid: leader.pid ?? -1, leader, marker: { name: 'TURNOUT_TURN', value } });
  assert.equal(await tree.end(), { survivors: [] });
  await gone(leader);
  await gone(marked);
  for (const other of others) {
    assert.ok(isAlive(other.pid ?? -1));
    other.kill('SIGKILL');
    await gone(other);
  }
});

test('a host that carries the marker itself survives the end of its turn', async () => {
  const turnId = `self-${process.pid}`;
  const hosted = await host(['ignores-sigterm.js'], { turnId, env: { TURNOUT_TURN: turnId } });
  await hosted.hears('line');
  process.kill(hosted.pid, 'SIGUSR2');
  assert.equal(await hosted.hears('survivors'), []);
  assert.ok(isAlive(hosted.pid));
  assert.equal(survivors(hosted.marker), [hosted.pid]);
  process.kill(hosted.pid, 'SIGKILL');
  await gone(hosted.child);
});

test('where environments cannot be read, ps shows the group and the descendants', async () => {
  const child = spawn(process.execPath, [bin('hides-its-child.js')], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const said: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
  await until('the child is told', () => said.length > 0);
  const hidden = Number(said.join(''));
  const tree = treeOf({
    pid: child.pid ?? -1,
    leader: child,
    marker: { name: 'TURNOUT_TURN', value: 'nobody' },
    source: 'ps',
  });
  assert.equal(await tree.end({ termMs: 100, killMs: 10_000 }), { survivors: [] });
  tree.forget();
  assert.not.ok(isAlive(hidden));
  await gone(child);
});

async function gone(child: ChildProcess): Promise<void> {
  await until('it is gone', () => !isAlive(child.pid ?? -1));
}

test.run();
