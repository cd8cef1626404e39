// limit: 120s
/** Ctrl-Z and `fg`: what we started stops with us and goes on with us. */

import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { demo, isType, marked, TURNOUT } from '../contract/cli.js';
import { linux } from '../contract/ending.js';
import { until } from './survivors.js';

const test = suite('suspension');

/** The letter of `/proc/PID/stat`: T is stopped. */
function stateOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).charAt(0);
  } catch {
    return 'gone';
  }
}

/** Words of a process's command line. */
const words = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');

test('the runtime and its commands stop with us, go on with us, and can be ended', async () => {
  if (!linux) return console.log('SKIPPED: needs /proc');
  const running = demo('shell sleep 300', ['--access', 'full', '--allow-root']);
  await running.event((event) => isType('tool_activity')(event) && event['phase'] === 'start');
  const us = running.child.pid ?? 0;
  const sleeping = () => marked(running.place.mark).filter((pid) => words(pid)[0] === 'sleep');
  await until('the command runs', () => sleeping().length === 1);
  const [command = 0] = sleeping();
  const runtime = marked(running.place.mark).find((pid) => pid !== us && words(pid).includes('demo')) ?? 0;
  const all = [us, command, ...(runtime === 0 ? [] : [runtime])];
  assert.ok(words(us).includes(TURNOUT));

  running.child.kill('SIGTSTP');
  await until('all are stopped', () => all.every((pid) => stateOf(pid) === 'T'));
  running.child.kill('SIGCONT');
  await until('all go on', () => all.every((pid) => !['T', 'gone'].includes(stateOf(pid))));
  running.child.kill('SIGTERM');
  const { code, late } = await running.ended;
  assert.is(late, false);
  assert.is(code, 130);
});

test('what was stopped can still be killed', async () => {
  if (!linux) return console.log('SKIPPED: needs /proc');
  const running = demo('hang');
  const start = await running.event(isType('start'));
  await running.event(isType('assistant'));
  const runtime = Number(start?.['child_pid']);
  running.child.kill('SIGTSTP');
  await until('the runtime is stopped', () => stateOf(runtime) === 'T' && stateOf(running.child.pid ?? 0) === 'T');
  running.child.kill('SIGKILL');
  await running.ended;
  await until('the runtime is gone', () => ['gone', 'Z'].includes(stateOf(runtime)));
});

test.run();
