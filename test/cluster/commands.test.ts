// limit: 120s
// `turnout cluster …` as people use it.
import { resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runProgram } from '../run-program.js';
import { hasRedis, SKIPPED, serveRedis } from './engines.js';
import { members, request } from './members.js';

const program = resolve('bin/turnout.js');

test('without an address the commands say how to give one', () => {
  for (const command of ['status', 'doctor', 'drain w1']) {
    const { TURNOUT_CLUSTER: _none, ...env } = process.env;
    const ran = runProgram(process.execPath, [program, 'cluster', ...command.split(' ')], { env });
    assert.is(ran.status, 2);
    assert.match(ran.stderr, /--cluster URL, --cluster-file PATH or the variable TURNOUT_CLUSTER/);
  }
});

test('status lists members, doctor finds what is missing, drain lets a worker take nothing more', async () => {
  if (!hasRedis()) return console.log(SKIPPED);
  const served = await serveRedis();
  const team = members(served.url);
  const cluster = (...args: string[]) =>
    runProgram(process.execPath, [program, 'cluster', ...args, '--cluster', served.url]);
  try {
    const empty = cluster('doctor');
    assert.is(empty.status, 1);
    assert.match(empty.stdout, /error: there is no worker/);
    team.worker('w1', ['--label', 'gpu']);
    const front = await team.front();
    await request(front.url, { op: 'exec', runtime: 'demo', prompt: 'say hi' });
    const status = JSON.parse(cluster('status', '--json').stdout);
    assert.equal([status.queued, status.running, status.stuck], [0, 0, []]);
    const worker = status.members.find((one: { id: string }) => one.id === 'w1');
    assert.equal([worker.role, worker.labels, typeof worker.runtimes.demo], ['worker', ['gpu'], 'string']);
    assert.match(cluster('status').stdout, /w1 {2}worker/);
    const fine = cluster('doctor');
    assert.equal([fine.status, fine.stdout.startsWith('ok: ')], [0, true]);
    assert.is(cluster('drain', 'nobody').status, 2);
    assert.match(cluster('drain', 'w1', '--wait').stdout, /w1 takes nothing more; 0 turns are under way there/);
    while (!JSON.parse(cluster('status', '--json').stdout).members.some((one: { draining: boolean }) => one.draining));
    await request(front.url, { op: 'exec', runtime: 'demo', prompt: 'say later', detach: true });
    assert.is(JSON.parse(cluster('status', '--json').stdout).queued, 1);
    assert.match(cluster('doctor').stdout, /worker w1 takes nothing: it is being drained/);
    cluster('drain', 'w1', '--undo');
    const ran = await request(front.url, { op: 'exec', runtime: 'demo', prompt: 'say now' });
    assert.is(ran.find(({ kind }) => kind === 'result')?.['text'], 'now');
  } finally {
    await team.end();
    await served.stop();
  }
});
test.run();
