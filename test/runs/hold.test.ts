// limit: 120s
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recover } from '../../src/runs/recover.js';
import { sqlite } from '../../src/runs/store/database.js';
import { MIGRATIONS } from '../../src/runs/store/migrations.js';
import { openSqlite, readSqlite } from '../../src/runs/store/sqlite-store.js';
import { StoreError } from '../../src/runs/store/store-error.js';
import { place, TURNOUT } from '../contract/cli.js';
import { runProgram } from '../run-program.js';
import { run } from './samples.js';

const folder = mkdtempSync(join(tmpdir(), 'hold-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const fresh = () => join(folder, 'made', `${files++}.db`);
const open = (path: string) => openSqlite({ path, what: 'a test', complain: () => {} });
const database = async (path: string) => (await sqlite())(path);

async function refusal(opening: Promise<unknown>): Promise<StoreError> {
  try {
    await opening;
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error('it was opened');
}

/** Starts a server of its own process and waits until it listens. */
async function server(path: string, before: readonly string[] = []): Promise<{ child: ChildProcess; told: string }> {
  const where = place();
  const socket = join(where.cwd, 's.sock');
  const args = [TURNOUT, 'agent', 'serve', '--transport', 'unix', '--socket', socket, '--store', path];
  const [program = '', ...rest] = [...before, process.execPath, ...args];
  const child = spawn(program, rest, { cwd: where.cwd, env: where.env, stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  for await (const text of child.stderr.setEncoding('utf8')) {
    told += text;
    if (told.includes('listening on')) break;
  }
  return { child, told };
}

test('a store that a living process holds is refused with host, pid and since; a dead one lets go', async () => {
  const path = fresh();
  const { child } = await server(path);
  const { kind, message } = await refusal(open(path));
  assert.is(kind, 'locked');
  assert.ok(message.includes(`held by process ${child.pid} on ${hostname()} (unix `), message);
  assert.match(message, /since \d{4}-\d\d-\d\dT/);
  const reading = await readSqlite(path);
  assert.ok(reading.held());
  child.kill('SIGKILL');
  await once(child, 'close');
  assert.not.ok(reading.held());
  (await open(path)).close();
});

test('a second server exits with 2 and says who has the store, also from another pid namespace', async () => {
  const path = fresh();
  const first = await server(path);
  const namespaces = runProgram('unshare', ['-pf', '--mount-proc', 'true']).status === 0;
  const ways = namespaces ? [[], ['unshare', '-pf', '--mount-proc', '--kill-child']] : [[]];
  for (const way of ways) {
    const { child, told } = await server(path, way);
    if (child.exitCode === null) await once(child, 'exit');
    assert.is(child.exitCode, 2, told);
    assert.ok(told.includes(`held by process ${first.child.pid} on ${hostname()}`), told);
  }
  first.child.kill('SIGTERM');
  await once(first.child, 'exit');
  if (!namespaces) console.log('SKIPPED: unshare makes no pid namespace here');
});

test('processes may share a store; one that wants it for itself is told who has it', async () => {
  const path = fresh();
  const shared = (what: string) => openSqlite({ path, what, shared: true, complain: () => {} });
  const [one, two] = [await shared('acp one'), await shared('acp two')];
  one.putRun(run('a'));
  await one.commit();
  assert.is(two.run('a')?.run_id, 'a');
  // It runs in the other one, which lives.
  assert.is(await recover(two, 9999), 0);
  assert.match((await refusal(open(path))).message, `process ${process.pid} on ${hostname()} (acp one`);
  one.close();
  // Nobody holds that run any more.
  assert.is(await recover(two, 9999), 1);
  assert.is(two.run('a')?.status, 'interrupted');
  two.close();
  const alone = await open(path);
  assert.is((await refusal(shared('acp three'))).kind, 'locked');
  alone.close();
  // Nothing is left but what belongs to the next holder.
  const left = readdirSync(join(folder, 'made')).filter((name) => /-lock-|-owner/.test(name));
  assert.equal(left, []);
});

test('a holder that died leaves its runs to the others, and its lock file is removed by the next one', async () => {
  const path = fresh();
  const shared = () => openSqlite({ path, what: 'acp', shared: true, complain: () => {} });
  const one = await shared();
  const db = await database(path);
  db.run("INSERT INTO holders (id, data) VALUES ('dead', '{}')");
  db.close();
  (await database(`${path}-lock-dead`)).close();
  one.putRun(run('mine'));
  await one.commit();
  const two = await shared();
  assert.is(await recover(two, 9999), 0);
  assert.not.ok(existsSync(`${path}-lock-dead`));
  for (const store of [one, two]) store.close();
});

test('a process whose lock was lost writes nothing more once another has taken the store', async () => {
  const path = fresh();
  const told: string[] = [];
  const first = await openSqlite({ path, what: 'the first', complain: (line) => told.push(line) });
  first.putRun(run('kept'));
  await first.commit();
  // A file system that forgets locks: the file of the lock is another one.
  rmSync(`${path}-lock`);
  const second = await open(path);
  first.putRun(run('too late'));
  await first.commit().then(
    () => assert.unreachable(),
    () => {},
  );
  assert.is(second.run('too late'), null);
  assert.is(second.run('kept')?.run_id, 'kept');
  assert.match(told.join('\n'), /was taken over by process \d+ on .* \(a test/);
  assert.throws(() => first.close(), /taken over/);
  // The end of the one that lost it takes nothing of the other's along.
  const note = JSON.parse(readFileSync(`${path}-owner`, 'utf8'));
  assert.is(note.what, 'a test');
  second.close();
});

test('a store of the first version is brought up to date, with what is in it', async () => {
  const path = fresh();
  mkdirSync(join(folder, 'made'), { recursive: true });
  const db = await database(path);
  db.exec(`${MIGRATIONS[0]} PRAGMA user_version = 1`);
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
  const db = await database(path);
  db.exec('PRAGMA user_version = 99');
  db.close();
  assert.match((await refusal(open(path))).message, /newer version of turnout/);
});

test.run();
