import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { tailLog } from '../../src/process/log-tail.js';

async function withLog(run: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'turnout-log-'));
  // A turn is kept alive by its program, not by the log.
  const alive = setInterval(() => {}, 60_000);
  try {
    await writeFile(join(folder, 'log'), '');
    await run(join(folder, 'log'));
  } finally {
    clearInterval(alive);
    await rm(folder, { recursive: true, force: true });
  }
}

test('wanted lines are heard while the file grows, in whatever pieces they come', () =>
  withLog(async (path) => {
    const heard: string[] = [];
    let wake = () => {};
    const next = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    const first = next();
    const tail = await tailLog(path, /^\[WARN\]/, (line) => {
      heard.push(line);
      wake();
    });
    await appendFile(path, '[DEBUG] a secret prompt\n[WARN] one\n[WARN] t');
    await first;
    const second = next();
    await appendFile(path, 'wo\n');
    await second;
    tail.stop();
    assert.equal(heard, ['[WARN] one', '[WARN] two']);
  }));

test('nothing is heard after the end', () =>
  withLog(async (path) => {
    const heard: string[] = [];
    const tail = await tailLog(path, /./, (line) => heard.push(line));
    tail.stop();
    tail.stop();
    await appendFile(path, 'late\n');
    const other = await new Promise<string>((resolve) => void tailLog(path, /./, resolve));
    assert.is(other, 'late');
    assert.equal(heard, []);
  }));

test.run();
