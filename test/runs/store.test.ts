import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CoreError } from '../../src/runs/failure.js';
import { recover } from '../../src/runs/recover.js';
import { sqlite } from '../../src/runs/store/database.js';
import { memoryStore } from '../../src/runs/store/memory-store.js';
import { openSqlite } from '../../src/runs/store/sqlite-store.js';
import type { Store } from '../../src/runs/store/store.js';
import { begins, done } from './fake-turn.js';
import { ALL, most, run, says, session } from './samples.js';

const folder = mkdtempSync(join(tmpdir(), 'store-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const fresh = () => join(folder, 'made', `${files++}.db`);
const open = (path: string, complain = (_: string) => {}) => openSqlite({ path, what: 'a test', complain });

const kinds: [string, () => Promise<Store>][] = [
  ['memory', () => Promise.resolve(memoryStore())],
  ['sqlite', () => open(fresh())],
];
for (const [kind, make] of kinds) {
  test(`${kind}: a session goes with its runs, their events and what was noted beside them`, async () => {
    const store = await make();
    for (const [id, of] of [
      ['run_1', 'ses_1'],
      ['run_12', 'ses_2'],
    ] as const) {
      store.putSession(session(of, { chosen: { access: 'edit', model: 'm', effort: 'low' } }));
      store.putRun(run(id, { session_id: of }));
      store.append(id, { seq: 1, event: says('x') });
      store.putNote(id, 'acp', { kept: true });
    }
    assert.equal(store.session('ses_1')?.chosen, { access: 'edit', model: 'm', effort: 'low' });
    store.dropSession('ses_1');
    await store.commit();
    assert.equal([store.session('ses_1'), store.run('run_1')], [null, null]);
    assert.equal([store.events('run_1', 0, ALL), store.notes('run_1', 'acp')], [[], []]);
    assert.is(store.events('run_12', 0, ALL).length + store.notes('run_12', 'acp').length, 2);
    store.close();
  });

  test(`${kind}: what was put can be read at once, whole`, async () => {
    const store = await make();
    const whole = run('run_1', {
      error: { code: 'auth', message: 'log in' },
      cost_usd: 0.1,
      text: 'said',
      ended_at: 5,
    });
    store.putRun(run('run_1'));
    store.putRun(whole);
    store.putSession(session('ses_1', { native_id: 'n' }));
    store.putKey('k', { fingerprint: 'f', run_id: 'run_1', at: 3 });
    assert.equal(store.run('run_1'), whole);
    assert.is(store.run('run_2'), null);
    assert.equal(store.session('ses_1'), session('ses_1', { native_id: 'n' }));
    assert.equal(store.key('k'), { fingerprint: 'f', run_id: 'run_1', at: 3 });
    store.close();
  });

  test(`${kind}: lists are newest first and filtered`, async () => {
    const store = await make();
    store.putRun(run('a', { created_at: 1 }));
    store.putRun(run('b', { created_at: 2, status: 'failed', session_id: 'ses_2' }));
    store.putRun(run('c', { created_at: 2 }));
    const ids = (filter: Parameters<Store['runs']>[0]) => store.runs(filter).map((one) => one.run_id);
    assert.equal(ids({ limit: 9 }), ['c', 'b', 'a']);
    assert.equal(ids({ limit: 1 }), ['c']);
    assert.equal(ids({ limit: 9, status: 'failed' }), ['b']);
    assert.equal(ids({ limit: 9, since: 2 }), ['c', 'b']);
    assert.equal(ids({ limit: 9, session: 'ses_1' }), ['c', 'a']);
    assert.equal(
      store.runsOf('ses_1').map((one) => one.run_id),
      ['a', 'c'],
    );
    store.putSession(session('x', { updated_at: 1 }));
    store.putSession(session('y', { updated_at: 2, cwd: '/other' }));
    assert.equal(
      store.sessions({ limit: 9 }).map((one) => one.session_id),
      ['y', 'x'],
    );
    assert.equal(
      store.sessions({ limit: 9, cwd: '/project' }).map((one) => one.session_id),
      ['x'],
    );
    store.close();
  });

  test(`${kind}: events come in order from any cursor`, async () => {
    const store = await make();
    for (let seq = 1; seq <= 1200; seq++) store.append('r', { seq, event: says(`${seq}`) });
    store.append('other', { seq: 1, event: says('x') });
    await store.commit();
    assert.equal(
      store.events('r', 1198, most(10)).map(({ seq }) => seq),
      [1199, 1200],
    );
    assert.is(store.events('r', 0, most(256)).length, 256);
    assert.equal(store.events('r', 255, most(1))[0]?.event, says('256'));
    assert.equal(store.events('r', 1200, most(10)), []);
    store.close();
  });

  test(`${kind}: finds text in prompts and answers, whatever its case`, async () => {
    const store = await make();
    store.putRun(run('a', { prompt: 'one\nThe 100% Needle\nthree', text: 'needle again' }));
    store.putRun(run('b', { prompt: 'hay', created_at: 2000 }));
    assert.equal(
      store.find('needle', 10).map(({ run_id, role, line, text }) => [run_id, role, line, text]),
      [
        ['a', 'user', 2, 'The 100% Needle'],
        ['a', 'assistant', 1, 'needle again'],
      ],
    );
    assert.is(store.find('needle', 1).length, 1);
    assert.is(store.find('100%', 10).length, 1);
    assert.equal(store.find('1_0', 10), []);
    store.close();
  });
}

test('a store lives on in its file, which is private', async () => {
  const path = fresh();
  const first = await open(path);
  first.putRun(run('a'));
  first.append('a', { seq: 1, event: says('x') });
  first.close();
  if (process.platform !== 'win32') {
    assert.is(statSync(path).mode & 0o777, 0o600);
    assert.is(statSync(join(folder, 'made')).mode & 0o777, 0o700);
  }
  const second = await open(path);
  assert.is(second.run('a')?.run_id, 'a');
  assert.is(second.events('a', 0, ALL).length, 1);
  second.close();
});

test('runs of a server that died are interrupted, and their streams get an end', async () => {
  const path = fresh();
  const store = await open(path);
  store.putRun(run('mid'));
  store.append('mid', { seq: 1, event: begins(1) });
  store.append('mid', { seq: 2, event: says('half') });
  store.putRun(run('waiting', { status: 'queued', started_at: null }));
  store.putRun(run('fine', { status: 'completed', exit_code: 0, ended_at: 4 }));
  assert.is(await recover(store, 9999), 2);
  const types = (id: string) => store.events(id, 0, ALL).map(({ event }) => event.type);
  assert.equal(types('mid'), ['start', 'assistant', 'error', 'done']);
  assert.equal(types('waiting'), ['start', 'error', 'done']);
  const mid = store.run('mid');
  assert.equal([mid?.status, mid?.last_seq, mid?.ended_at], ['interrupted', 4, 9999]);
  assert.is(store.run('fine')?.status, 'completed');
  assert.is(await recover(store, 9999), 0);
  store.close();
});

test('what a run had said and used before its server died is in its record', async () => {
  const store = await open(fresh());
  store.putRun(run('r'));
  const used = (cost: number) =>
    ({ v: 1, type: 'usage', input_tokens: 10, output_tokens: 2, cost_usd: cost, cached_tokens: null }) as const;
  const events = [begins(1), says('Half an '), says('answer'), used(0.5), used(0.25)];
  events.forEach((event, index) => {
    store.append('r', { seq: index + 1, event });
  });
  await recover(store, 9999);
  const kept = store.run('r');
  assert.equal(
    [kept?.text, kept?.input_tokens, kept?.output_tokens, kept?.cost_usd, kept?.stop_reason, kept?.ended_by],
    ['Half an answer', 20, 4, 0.75, 'interrupted', 'crash'],
  );
  store.close();
});

test('data that looks like an end is not one', async () => {
  const store = await open(fresh());
  store.putRun(run('r'));
  store.append('r', { seq: 1, event: begins(1) });
  store.append('r', { seq: 2, event: { v: 1, type: 'tool_call', id: 'tc_1', name: 'x', args: { type: 'done' } } });
  await recover(store, 9999);
  const types = store.events('r', 0, ALL).map(({ event }) => event.type);
  assert.equal(types, ['start', 'tool_call', 'error', 'done']);
  store.close();
});

test('a run whose end was kept is what its end says', async () => {
  const store = await open(fresh());
  store.putRun(run('r'));
  store.append('r', { seq: 1, event: begins(1) });
  store.append('r', { seq: 2, event: done(0) });
  await recover(store, 9999);
  assert.equal([store.run('r')?.status, store.lastSeq('r')], ['completed', 2]);
  store.close();
});

test('what can not be written is told once, kept and written later', async () => {
  const path = fresh();
  const told: string[] = [];
  const store = await open(path, (message) => told.push(message));
  const blocker = (await sqlite())(path);
  blocker.exec('DROP TABLE events');
  store.append('r', { seq: 1, event: says('x') });
  const refused = async () => {
    try {
      await store.commit();
    } catch (error) {
      return error instanceof CoreError ? error.reason : String(error);
    }
    return 'none';
  };
  assert.equal([await refused(), await refused()], ['store', 'store']);
  assert.is(told.length, 1);
  assert.throws(() => store.events('r', 0, ALL), /events/);
  blocker.exec(
    'CREATE TABLE events (run_id TEXT NOT NULL, seq INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (run_id, seq))',
  );
  blocker.close();
  await store.commit();
  assert.is(store.events('r', 0, ALL).length, 1);
  store.close();
});

test('an answer for another process is in no byte of the files once it was delivered', async () => {
  const path = fresh();
  const store = await open(path);
  const holds = (secret: string) =>
    [path, `${path}-wal`].some((file) => existsSync(file) && readFileSync(file).includes(secret));
  store.putRun(run('run_1'));
  for (const [id, secret] of [
    ['m_1', 'hunter-one'],
    ['m_2', 'hunter-two'],
  ] as const)
    store.post({ id, run_id: 'run_1', at: 1, command: { type: 'answer', question: 'q_1', answers: { key: secret } } });
  await store.commit();
  assert.equal([holds('hunter-one'), holds('hunter-two')], [true, true]);
  store.putReceipt('m_1', { ok: true, id: 'q_1', did: true });
  await store.commit();
  assert.equal([holds('hunter-one'), store.receipt('m_1')?.ok], [false, true]);
  assert.equal(
    store.mail(['run_1']).map(({ id }) => id),
    ['m_2'],
  );
  // Nothing is left to deliver it to.
  store.putRun(run('run_1', { status: 'completed', ended_at: 5 }));
  await store.commit();
  assert.equal(store.mail(['run_1']), []);
  store.close();
  assert.not.ok(holds('hunter-two'));
});

test.run();
