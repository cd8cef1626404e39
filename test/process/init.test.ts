// limit: 60s
// As process 1 of a container nobody waits for orphans but us.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { initCheck } from '../../src/inspect/doctor/init-check.js';
import { place, TURNOUT, WATCHDOG_MS } from '../contract/cli.js';
import { runProgram } from '../run-program.js';
import { until } from './survivors.js';

const test = suite('process 1');
const OWN_NAMESPACE = ['-rpf', '--mount-proc'];

/** State and name of each process below that one, e.g. "Z sh". */
function below(pid: number): string[] {
  const rows = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const found = /^(\d+) \((.*)\) (\S) (\d+) /s.exec(readFileSync(`/proc/${name}/stat`, 'latin1'));
      return found ? [{ pid: Number(found[1]), row: `${found[3]} ${found[2]}`, parent: Number(found[4]) }] : [];
    } catch {
      return [];
    }
  });
  const children = (parent: number): string[] =>
    rows.filter((one) => one.parent === parent).flatMap((one) => [one.row, ...children(one.pid)]);
  return children(pid);
}

test('a server that is process 1 leaves no zombie of its own after its turns', async () => {
  if (runProgram('unshare', [...OWN_NAMESPACE, 'true']).status !== 0) return console.log('SKIPPED: needs unshare');
  const where = place();
  const server = spawn(
    'unshare',
    [...OWN_NAMESPACE, process.execPath, TURNOUT, 'agent', 'serve', '--store', 'memory'],
    {
      cwd: where.cwd,
      env: where.env,
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  const watchdog = setTimeout(() => server.kill('SIGKILL'), 4 * WATCHDOG_MS);
  let told = '';
  server.stdout.setEncoding('utf8').on('data', (more: string) => {
    told += more;
  });
  for (const id of ['a', 'b']) server.stdin.write(`{"op":"exec","runtime":"demo","prompt":"hello","id":"${id}"}\n`);
  await until('both turns are over', () => told.split('"kind":"done"').length > 2);
  const left = below(server.pid ?? -1);
  assert.equal(
    left.filter((row) => row.startsWith('Z')),
    [],
    left.join(', '),
  );
  server.stdin.end('{"op":"halt"}\n');
  await new Promise((resolve) => server.on('exit', resolve));
  clearTimeout(watchdog);
});

test('doctor says what process 1 lacks when it is Turnout', async () => {
  const of = async (own: number, line: string | null) => (await initCheck(own, async () => line)).status;
  assert.equal(
    [
      await of(1, null),
      await of(40, '/usr/bin/node\0/usr/bin/turnout\0agent\0serve\0'),
      await of(40, '/sbin/tini\0--\0turnout\0agent\0serve\0'),
      await of(40, '/sbin/init\0'),
      await of(40, null),
    ],
    ['warn', 'warn', 'pass', 'pass', 'pass'],
  );
});

test.run();
