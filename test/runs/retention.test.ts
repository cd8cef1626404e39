import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlite } from '../../src/runs/store/database.js';
import { memoryStore } from '../../src/runs/store/memory-store.js';
import { openSqlite } from '../../src/runs/store/sqlite-store.js';
import type { Retention, Store } from '../../src/runs/store/store.js';
import { ALL, run, says, session } from './samples.js';

const folder = mkdtempSync(join(tmpdir(), 'retention-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const fresh = () => join(folder, `${files++}.db`);
const open = (path: string) => openSqlite({ path, what: 'a test', complain: () => {} });
const DAY = 24 * 60 * 60 * 1000;
const NOW = 1000 * DAY;
const keeping = (changes: Partial<Retention> = {}): Retention => ({
  now: NOW,
  keepMs: 90 * DAY,
  keysMs: DAY,
  maxBytes: null,
  ...changes,
});

/** A session with one run a day, the last one `ago` days ago, each with some events. */
function talked(
  store: Store,
  id: string,
  ago: number,
  { runs = 3, events = 2, parent = null as string | null } = {},
): void {
  const last = NOW - ago * DAY;
  store.putSession(session(id, { parent, created_at: last - runs * DAY, updated_at: last }));
  for (let n = 0; n < runs; n++) {
    const at = last - (runs - 1 - n) * DAY;
    store.putRun(
      run(`${id}.${n}`, { session_id: id, status: 'completed', created_at: at, ended_at: at, text: 'said' }),
    );
    for (let seq = 1; seq <= events; seq++) store.append(`${id}.${n}`, { seq, event: says(`${id} ${seq}`) });
    store.putNote(`${id}.${n}`, 'acp', { kept: true });
  }
}
const runsOf = (store: Store, id: string) => store.runsOf(id).length;

for (const [kind, make] of [
  ['memory', () => Promise.resolve(memoryStore())],
  ['sqlite', () => open(fresh())],
] as [string, () => Promise<Store>][]) {
  test(`${kind}: a session is kept or forgotten as a whole, by its last use`, async () => {
    const store = await make();
    // Its first runs are older than the limit.
    talked(store, 'long', 88, { runs: 10 });
    talked(store, 'old', 91);
    store.putKey('k', { fingerprint: 'f', run_id: 'old.0', at: NOW - 2 * DAY });
    await store.commit();
    assert.is(await store.sweep(keeping()), 1);
    assert.equal([store.session('old'), runsOf(store, 'old'), store.run('old.2')], [null, 0, null]);
    assert.equal([store.events('old.2', 0, ALL), store.notes('old.2', 'acp')], [[], []]);
    assert.equal([store.session('long')?.session_id, runsOf(store, 'long')], ['long', 10]);
    assert.is(store.events('long.0', 0, ALL).length, 2);
    assert.is(store.key('k'), null);
    store.close();
  });

  test(`${kind}: what is under way, or the beginning of a fork that is kept, is not forgotten`, async () => {
    const store = await make();
    talked(store, 'parent', 200);
    talked(store, 'fork', 1, { parent: 'parent' });
    talked(store, 'busy', 300);
    store.putRun(
      run('busy.now', { session_id: 'busy', status: 'running', created_at: NOW - 300 * DAY, ended_at: null }),
    );
    talked(store, 'old parent', 400);
    talked(store, 'old fork', 300, { parent: 'old parent' });
    await store.commit();
    assert.is(await store.sweep(keeping()), 2);
    assert.equal([runsOf(store, 'parent'), runsOf(store, 'fork'), runsOf(store, 'busy')], [3, 3, 4]);
    assert.equal([store.session('old parent'), store.session('old fork')], [null, null]);
    store.close();
  });

  test(`${kind}: without a limit nothing is forgotten`, async () => {
    const store = await make();
    talked(store, 'old', 900);
    await store.commit();
    assert.is(await store.sweep(keeping({ keepMs: null })), 0);
    assert.is(runsOf(store, 'old'), 3);
    store.close();
  });
}

test('memory: beyond the most runs that are kept, whole sessions go', async () => {
  const store = memoryStore({ runs: 10 });
  talked(store, 'one', 3, { runs: 5 });
  talked(store, 'two', 2, { runs: 5 });
  store.putRun(run('two.5', { session_id: 'two' }));
  assert.equal([runsOf(store, 'one'), runsOf(store, 'two')], [0, 6]);
});

test('sqlite: the file shrinks, and what was forgotten can not be read in it any more', async () => {
  const path = fresh();
  const store = await open(path);
  talked(store, 'kept', 1);
  talked(store, 'old', 100, { runs: 20, events: 300 });
  store.putRun(
    run('old.said', { session_id: 'old', ended_at: NOW - 100 * DAY, prompt: 'the secret plan', text: 'x'.repeat(1e6) }),
  );
  await store.commit();
  await store.sweep(keeping({ keepMs: null }));
  const before = statSync(path).size;
  assert.ok(before > 1.5e6);
  assert.is(await store.sweep(keeping()), 1);
  assert.ok(statSync(path).size < before / 5, `${statSync(path).size} of ${before}`);
  for (const file of [path, `${path}-wal`])
    for (const words of ['the secret plan', 'old 299'])
      assert.not.ok(readFileSync(file).includes(words), `${words} in ${file}`);
  assert.ok(readFileSync(path).includes('kept 1'));
  store.close();
});

test('sqlite: over its size, the longest unused sessions go, but none of the last hour', async () => {
  const path = fresh();
  const store = await open(path);
  for (const [id, ago] of [
    ['c', 3],
    ['b', 2],
    ['a', 1],
    ['now', 0],
  ] as const) {
    talked(store, id, ago, { runs: 1 });
    store.putRun(run(`${id}.big`, { session_id: id, ended_at: NOW - ago * DAY, text: 'x'.repeat(500_000) }));
  }
  await store.commit();
  assert.is(await store.sweep(keeping({ maxBytes: 1_300_000 })), 2);
  assert.equal(
    ['c', 'b', 'a', 'now'].map((id) => store.session(id) !== null),
    [false, false, true, true],
  );
  assert.is(await store.sweep(keeping({ maxBytes: 1 })), 1);
  assert.is(runsOf(store, 'now'), 2);
  store.close();
});

test('sqlite: what a process did not get round to freeing is freed by the next one', async () => {
  const path = fresh();
  const store = await open(path);
  talked(store, 'old', 100, { runs: 5, events: 200 });
  await store.commit();
  store.dropSession('old');
  assert.is(store.session('old'), null);
  assert.equal(store.events('old.1', 0, ALL), []);
  store.close();
  const left = async () => {
    const db = (await sqlite())(path);
    const count = db.all('SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM forgotten) AS n')[0]?.['n'];
    db.close();
    return count;
  };
  assert.is(await left(), 1005);
  const next = await open(path);
  assert.is(next.session('old'), null);
  await next.sweep(keeping());
  next.close();
  assert.is(await left(), 0);
});

test('sqlite: forgetting much leaves the loop free', async () => {
  const path = fresh();
  const store = await open(path);
  const db = (await sqlite())(path);
  const from = (count: number, columns: string) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT ${columns} FROM n`;
  db.exec(`INSERT INTO sessions (session_id, cwd, updated_at, data) ${from(200, "'s' || i, '/', 1, '{}'")}`);
  db.exec(
    `INSERT INTO runs (run_id, session_id, status, created_at, ended_at, prompt, text, data) ${from(2000, "'r' || i, 's' || (i % 200 + 1), 'completed', 1, 1, 'p', hex(randomblob(2000)), '{}'")}`,
  );
  db.exec(
    `INSERT INTO events (run_id, seq, json) ${from(200_000, "'r' || (i % 2000 + 1), i / 2000 + 1, hex(randomblob(60))")}`,
  );
  db.close();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  }, 1);
  assert.is(await store.sweep(keeping()), 200);
  clearInterval(turning);
  delay.disable();
  // How long a slice takes depends on who else uses the machine; that there are many does not.
  console.log(`${turns} turns of the loop, the longest ${(delay.max / 1e6).toFixed(0)} ms`);
  assert.ok(turns > 100, `${turns} turns`);
  assert.equal(store.runs({ limit: 1 }), []);
  assert.ok(statSync(path).size < 1_000_000);
  store.close();
});

test.run();
