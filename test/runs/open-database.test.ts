import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlite } from '../../src/runs/store/database.js';
import { openSqlite } from '../../src/runs/store/sqlite-store.js';
import { StoreError } from '../../src/runs/store/store-error.js';
import { run } from './samples.js';

const folder = mkdtempSync(join(tmpdir(), 'open-database-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const fresh = () => join(folder, `${files++}.db`);
const open = (path: string) => openSqlite({ path, what: 'a test', complain: () => {} });
const database = async (path: string) => (await sqlite())(path);
const mode = (path: string) => statSync(path).mode & 0o777;

async function refusal(path: string): Promise<StoreError> {
  try {
    (await open(path)).close();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error('it was opened');
}

test('a new store gives pages back, and files that were there before are made private with it', async () => {
  const path = fresh();
  for (const file of [path, `${path}-lock`]) {
    writeFileSync(file, '');
    chmodSync(file, 0o644);
  }
  const store = await open(path);
  store.putRun(run('a'));
  if (process.platform !== 'win32')
    for (const side of ['', '-wal', '-shm', '-lock', '-owner']) assert.is(mode(`${path}${side}`), 0o600, side);
  store.close();
  const db = await database(path);
  assert.equal(db.all('PRAGMA auto_vacuum'), [{ auto_vacuum: 2 }]);
  db.close();
});

test('a clean end leaves everything in the one file', async () => {
  const path = fresh();
  const store = await open(path);
  store.putRun(run('a'));
  assert.ok(statSync(`${path}-wal`).size > 0);
  store.close();
  const copy = fresh();
  copyFileSync(path, copy);
  const again = await open(copy);
  assert.is(again.run('a')?.run_id, 'a');
  again.close();
});

test('what was forgotten can not be read in the file any more', async () => {
  const path = fresh();
  const store = await open(path);
  store.putRun(run('a', { prompt: 'a prompt nobody may find', session_id: 'gone' }));
  store.dropSession('gone');
  store.close();
  assert.not.ok(readFileSync(path).includes('nobody may find'));
});

/** Garbles the middle of every page but the first. */
function garble(path: string): void {
  const file = openSync(path, 'r+');
  for (let at = 4096; at < statSync(path).size; at += 4096) writeSync(file, Buffer.alloc(64, 0xa5), 0, 64, at);
  closeSync(file);
}

test('a damaged store is refused with the command that helps, and left as it is', async () => {
  const path = fresh();
  const store = await open(path);
  store.putRun(run('a'));
  store.close();
  garble(path);
  const before = readFileSync(path);
  const { kind, message } = await refusal(path);
  assert.is(kind, 'corrupt');
  assert.ok(message.includes(`turnout store check --store ${path}`), message);
  assert.ok(readFileSync(path).equals(before));
});

test('what is not a store at all is refused, and left as it is', async () => {
  const path = fresh();
  writeFileSync(path, 'a text of somebody\n'.repeat(100), { mode: 0o600 });
  assert.is((await refusal(path)).kind, 'corrupt');
  assert.match(readFileSync(path, 'utf8'), /^a text of somebody\n/);
  // A refusal keeps no lock.
  writeFileSync(path, '');
  (await open(path)).close();
});

test('a folder that can not be made, or a device, is refused with words', async () => {
  if (process.platform === 'win32') return console.log('SKIPPED: there are no such paths');
  assert.match((await refusal('/dev/null/x.db')).message, /the store \/dev\/null\/x\.db(-lock)? can't be used: /);
  mkdirSync(join(folder, 'dir'));
  assert.match((await refusal(join(folder, 'dir'))).message, /can't be used: /);
});

test.run();
