import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlite } from '../../src/runs/store/database.js';
import { openToRead } from '../../src/runs/store/open-database.js';
import { openSqlite } from '../../src/runs/store/sqlite-store.js';
import { run } from './samples.js';

const folder = mkdtempSync(join(tmpdir(), 'read-only-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

test('who only reads a store can not change it', async () => {
  const path = join(folder, 'store.db');
  const store = await openSqlite({ path, what: 'a test', complain: () => {} });
  store.putRun(run('a'));
  await store.commit();
  const reader = openToRead(await sqlite(), path);
  try {
    assert.is(reader.all('SELECT * FROM runs').length, 1);
    assert.throws(() => reader.run('DELETE FROM runs'));
    assert.is(reader.all('SELECT * FROM runs').length, 1);
  } finally {
    reader.close();
    store.close();
  }
});

test.run();
