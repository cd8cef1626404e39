import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recover } from '../../src/runs/recover.js';
import { openDatabase, StoreError } from '../../src/runs/store/database.js';
import { openSqlite, readSqlite } from '../../src/runs/store/sqlite-store.js';
import { run } from './samples.js';

const folder = mkdtempSync(join(tmpdir(), 'hold-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const fresh = () => join(folder, 'made', `${files++}.db`);
const open = (path: string) => openSqlite({ path, what: 'a test', complain: () => {} });

test('a store that a living process holds is refused, with who holds it; a dead one lets go', async () => {
  const path = fresh();
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const store = await open(path);
  store.close();
  const db = await openDatabase(path);
  const owner = { pid: other.pid, began: null, since: 0, what: 'http 127.0.0.1:1' };
  db.run('INSERT OR REPLACE INTO owner (one, data) VALUES (1, ?)', JSON.stringify(owner));
  db.close();
  try {
    await open(path);
    assert.unreachable();
  } catch (error) {
    assert.ok(error instanceof StoreError && error.kind === 'locked');
    assert.match(error.message, `process ${other.pid} (http 127.0.0.1:1`);
  }
  assert.ok((await readSqlite(path)).held());
  other.kill('SIGKILL');
  await once(other, 'close');
  (await open(path)).close();
  assert.not.ok((await readSqlite(path)).held());
});

test('a pid that another process has by now holds nothing', async () => {
  if (process.platform !== 'linux') return console.log('SKIPPED: only /proc tells when a process began');
  const path = fresh();
  (await open(path)).close();
  const db = await openDatabase(path);
  const owner = { pid: process.ppid, began: '1', since: 0, what: 'long ago' };
  db.run('INSERT OR REPLACE INTO owner (one, data) VALUES (1, ?)', JSON.stringify(owner));
  db.close();
  (await open(path)).close();
});

test('processes may share a store; one that wants it for itself is told who has it', async () => {
  const path = fresh();
  const shared = (what: string) => openSqlite({ path, what, shared: true, complain: () => {} });
  const [one, two] = [await shared('acp one'), await shared('acp two')];
  one.putRun(run('a'));
  assert.is(two.run('a')?.run_id, 'a');
  // It runs in the other one, which lives.
  assert.is(recover(two, 9999), 0);
  try {
    await open(path);
    assert.unreachable();
  } catch (error) {
    assert.ok(error instanceof StoreError && error.kind === 'locked');
    assert.match(error.message, `process ${process.pid} (acp one`);
  }
  one.close();
  // Nobody holds that run any more.
  assert.is(recover(two, 9999), 1);
  assert.is(two.run('a')?.status, 'interrupted');
  two.close();
  const alone = await open(path);
  try {
    await shared('acp three');
    assert.unreachable();
  } catch (error) {
    assert.ok(error instanceof StoreError && error.kind === 'locked');
  }
  alone.close();
});

test('a store of the first version is brought up to date, with what is in it', async () => {
  const path = fresh();
  const made = await open(path);
  made.close();
  const db = await openDatabase(path);
  db.exec('DROP TABLE holders; ALTER TABLE runs DROP COLUMN holder; PRAGMA user_version = 1');
  db.run(
    "INSERT INTO runs (run_id, session_id, status, created_at, ended_at, prompt, text, data) VALUES ('old', 's', 'completed', 1, 2, 'p', 't', '{}')",
  );
  db.close();
  const store = await open(path);
  assert.is(store.run('old')?.text, 't');
  store.close();
});

test('a store of a newer version is left alone', async () => {
  const path = fresh();
  (await open(path)).close();
  const db = await openDatabase(path);
  db.exec('PRAGMA user_version = 99');
  db.close();
  try {
    await open(path);
    assert.unreachable();
  } catch (error) {
    assert.match(error instanceof Error ? error.message : '', /newer version of turnout/);
  }
});

test.run();
