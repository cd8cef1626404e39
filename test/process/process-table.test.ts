import { spawn } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { holdsEntry, isMarked, parseStat, procRow, procTable, psTable } from '../../src/process/process-table.js';

const test = suite('process table');
const rest = '1 5 6 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1000 200';

test('a name with spaces, parentheses or a fake state does not confuse the reader', () => {
  for (const name of ['node', 'a b', 'a) Z 1 1', '((', ') S (', '']) {
    assert.equal(parseStat(`42 (${name}) S ${rest}`), { pid: 42, ppid: 1, pgid: 5, start: 98765, zombie: false });
  }
  assert.is(parseStat(`42 (x) Z ${rest}`)?.zombie, true);
  assert.is(parseStat(''), null);
});

test('we are in both tables, with our parent', async () => {
  for (const table of [await procTable(), await psTable()]) {
    const row = table.find(({ pid }) => pid === process.pid);
    assert.is(row?.ppid, process.ppid);
    assert.is(row?.zombie, false);
  }
  assert.equal(
    (await procTable()).find(({ pid }) => pid === process.pid),
    procRow(process.pid),
  );
});

test('readings at once are one, and who asks during a reading sees what came meanwhile', async () => {
  const first = procTable();
  // The first has begun.
  await new Promise((resolve) => setImmediate(resolve));
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  const [second, third] = [procTable(), procTable()];
  assert.ok((await second).some(({ pid }) => pid === child.pid));
  assert.is(await second, await third);
  assert.is.not(await first, await second);
  child.kill('SIGKILL');
});

test('a process that is not there has no row and no marker', async () => {
  assert.is(procRow(2 ** 22 + 1), null);
  assert.is(await isMarked(2 ** 22 + 1, 'A=b'), null);
});

test('a marker is a whole entry of the environment', async () => {
  for (const [environ, holds] of [
    ['T=abc\0', true],
    ['T=abc', true],
    ['A=1\0T=abc\0B=2\0', true],
    ['XT=abc\0T=abc\0', true],
    ['XT=abc\0', false],
    ['T=abcd\0T=ab\0', false],
    ['A=T=abc\0', false],
    ['', false],
  ] as const) {
    assert.is(holdsEntry(Buffer.from(environ), 'T=abc'), holds, JSON.stringify(environ));
  }
  const child = spawn('sleep', ['600'], { stdio: 'ignore', env: { PATH: process.env['PATH'] ?? '', T: 'abc' } });
  assert.is(await isMarked(child.pid ?? -1, 'T=abc'), true);
  assert.is(await isMarked(child.pid ?? -1, 'T=ab'), false);
  child.kill('SIGKILL');
});

test.run();
