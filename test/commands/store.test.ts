// limit: 120s

import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseObject } from '../../src/text/json.js';
import { type Place, place, type Running, run, TURNOUT } from '../contract/cli.js';
import { runProgram } from '../run-program.js';

function turnout(where: Place, ...args: string[]) {
  const ran = runProgram(process.execPath, [TURNOUT, ...args], {
    cwd: where.cwd,
    env: where.env,
  });
  return { ...ran, json: parseObject(ran.stdout) ?? {} };
}

const fileOf = (where: Place) => join(where.env['XDG_STATE_HOME'] ?? '', 'turnout', 'server.db');

const servers: Running[] = [];
// One that a failed test left would keep us from ending.
test.after(() => {
  for (const one of servers) one.child.kill('SIGKILL');
});

/** A server that has answered one turn and goes on; what it was asked is in its store. */
async function server(where: Place, prompt = 'say kept') {
  const running = run(['agent', 'serve'], { place: where });
  servers.push(running);
  running.send({ op: 'exec', runtime: 'demo', prompt });
  await running.event((line) => line['kind'] === 'done');
  return running;
}

async function withOneTurn(prompt?: string): Promise<Place> {
  const where = place();
  const running = await server(where, prompt);
  running.closeStdin();
  assert.is((await running.ended).code, 0);
  return where;
}

function garble(path: string): void {
  const file = openSync(path, 'r+');
  for (let at = 4096; at < statSync(path).size; at += 4096) writeSync(file, Buffer.alloc(64, 0xa5), 0, 64, at);
  closeSync(file);
}

/** A usage error: nothing on stdout, one JSON line on stderr. */
function refused(ran: ReturnType<typeof turnout>): string {
  assert.equal([ran.status, ran.stdout], [2, '']);
  assert.match(ran.stderr, /^\{"v":1,"type":"error","code":"usage",[^\n]*\}\n$/);
  return String(parseObject(ran.stderr)?.['message']);
}

test('path says where the store is, whether or not there is one', async () => {
  const where = place();
  assert.equal(turnout(where, 'store', 'path').stdout, `${fileOf(where)}\n`);
  assert.equal(turnout(where, 'store', 'path', '--json').json, {
    v: 1,
    path: fileOf(where),
    exists: false,
    bytes: null,
  });
  assert.is(turnout(where, 'store', 'path', '--acp').stdout.trim(), fileOf(where).replace('server.db', 'acp.db'));
  assert.not.ok(existsSync(fileOf(where)));
});

test('check counts what is in a store, beside the server that holds it', async () => {
  const where = place();
  const running = await server(where);
  const { status, json } = turnout(where, 'store', 'check', '--json');
  assert.is(status, 0);
  assert.equal([json['ok'], json['problems'], json['runs'], json['sessions']], [true, [], 1, 1]);
  assert.is(json['held'], true);
  assert.is(parseObject(JSON.stringify(json['holder']))?.['pid'], running.child.pid);
  running.closeStdin();
  await running.ended;
  assert.is(turnout(where, 'store', 'check', '--json').json['held'], false);
  assert.match(
    turnout(where, 'store', 'check').stdout,
    /server\.db: no faults found\n.*\n {2}1 run, 1 session, \d+ events\n$/,
  );
});

test('check finds damage, and a server refuses that store with the commands that help', async () => {
  const where = await withOneTurn();
  garble(fileOf(where));
  const { status, json } = turnout(where, 'store', 'check', '--json');
  assert.equal([status, json['ok']], [1, false]);
  assert.ok(Array.isArray(json['problems']) && json['problems'].length > 0);
  assert.match(turnout(where, 'store', 'check').stdout, /: damaged\n(.*\n)* {2}fault: .+\n/);
  const began = turnout(where, 'agent', 'serve', '--transport', 'stdio');
  assert.is(began.status, 2);
  assert.match(began.stderr, `turnout store check --store ${fileOf(where)}`);
  assert.match(began.stderr, `turnout store restore --new --store ${fileOf(where)}`);
});

test('a log with a hole is a fault', async () => {
  const where = await withOneTurn();
  const { default: Libsql } = await import('libsql');
  const db = new Libsql(fileOf(where));
  db.exec('DELETE FROM events WHERE seq = 2');
  db.close();
  const { status, json } = turnout(where, 'store', 'check', '--json');
  assert.is(status, 1);
  assert.match(String(json['problems']), /^the log of run run_\w+ has a hole$/);
});

test('a backup beside a running server is a whole, private store that can be put back', async () => {
  const where = place();
  const running = await server(where, 'say first');
  const copy = join(where.cwd, 'copy.db');
  const { status, json, stderr } = turnout(where, 'store', 'backup', copy, '--json');
  assert.is(status, 0, stderr);
  assert.equal([json['to'], json['runs']], [copy, 1]);
  if (process.platform !== 'win32') assert.is(statSync(copy).mode & 0o777, 0o600);
  running.send({ op: 'exec', runtime: 'demo', prompt: 'say second' });
  await running.event((line) => line['kind'] === 'result' && line['text'] === 'second');
  assert.match(refused(turnout(where, 'store', 'restore', copy, '--json')), `held by process ${running.child.pid} on `);
  running.closeStdin();
  await running.ended;
  garble(fileOf(where));
  const back = turnout(where, 'store', 'restore', copy, '--json').json;
  assert.is(back['runs'], 1);
  assert.ok(existsSync(String(back['aside'])));
  const runs = turnout(where, 'runs', '--ndjson').stdout.trim().split('\n');
  assert.equal(
    runs.map((line) => parseObject(line)?.['prompt']),
    ['say first'],
  );
  assert.is(turnout(where, 'store', 'check').status, 0);
});

test('a backup replaces nothing unless it is asked to, and never the store', async () => {
  const where = await withOneTurn();
  const copy = join(where.cwd, 'copy.db');
  writeFileSync(copy, 'mine');
  assert.match(refused(turnout(where, 'store', 'backup', copy, '--json')), /exists; --force replaces it/);
  assert.is(readFileSync(copy, 'utf8'), 'mine');
  assert.match(refused(turnout(where, 'store', 'backup', fileOf(where), '--force', '--json')), /is the store itself/);
  assert.match(
    refused(turnout(where, 'store', 'backup', `${fileOf(where)}-wal`, '--force', '--json')),
    /the store itself/,
  );
  mkdirSync(join(where.cwd, 'folder'));
  assert.match(refused(turnout(where, 'store', 'backup', join(where.cwd, 'folder'), '--json')), /is not a file/);
  assert.is(turnout(where, 'store', 'backup', copy, '--force').status, 0);
  assert.is(turnout(where, 'store', 'check', '--store', copy, '--json').json['runs'], 1);
});

test('what is no backup is not put in the place of a store', async () => {
  const where = await withOneTurn();
  const copy = join(where.cwd, 'copy.db');
  turnout(where, 'store', 'backup', copy);
  garble(copy);
  assert.match(
    refused(turnout(where, 'store', 'restore', copy, '--json')),
    /is not a whole store, nothing was changed/,
  );
  writeFileSync(copy, 'a text of somebody\n'.repeat(100));
  assert.match(refused(turnout(where, 'store', 'restore', copy, '--json')), /is not a whole store/);
  assert.match(refused(turnout(where, 'store', 'restore', join(where.cwd, 'none.db'), '--json')), /there is no store/);
  assert.match(refused(turnout(where, 'store', 'restore', '--json')), /either the file of a backup or --new/);
  assert.is(turnout(where, 'store', 'check', '--json').json['runs'], 1);
});

test('restore --new lets the next server begin anew and keeps the old file', async () => {
  const where = await withOneTurn();
  garble(fileOf(where));
  const { aside } = turnout(where, 'store', 'restore', '--new', '--json').json;
  assert.ok(existsSync(String(aside)));
  const running = await server(where);
  running.closeStdin();
  assert.is((await running.ended).code, 0);
  assert.is(turnout(where, 'store', 'check', '--json').json['runs'], 1);
});

test('compact makes a file small that did not shrink by itself, and waits for nobody who works with it', async () => {
  const where = await withOneTurn();
  const { default: Libsql } = await import('libsql');
  const db = new Libsql(fileOf(where));
  // As an earlier version made it.
  db.exec('PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM; CREATE TABLE filler (a)');
  db.exec(
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO filler SELECT hex(randomblob(500)) FROM n',
  );
  db.exec('DROP TABLE filler');
  db.close();
  assert.match(String(turnout(where, 'store', 'check', '--json').json['notes']), /turnout store compact/);
  const running = await server(where);
  assert.match(refused(turnout(where, 'store', 'compact', '--json')), `held by process ${running.child.pid}`);
  running.closeStdin();
  await running.ended;
  const { status, json } = turnout(where, 'store', 'compact', '--json');
  assert.is(status, 0);
  assert.ok(Number(json['bytes_before']) > 2_000_000 && Number(json['bytes_after']) < 300_000, JSON.stringify(json));
  assert.equal(turnout(where, 'store', 'check', '--json').json['notes'], []);
});

test('a store that does not exist, or has no file, is a usage error and is not made', () => {
  const where = place();
  for (const what of [['check'], ['compact'], ['backup', 'copy.db']])
    assert.match(refused(turnout(where, 'store', ...what, '--json')), /there is no store /);
  assert.not.ok(existsSync(fileOf(where)));
  assert.match(refused(turnout(where, 'store', 'check', '--store', 'memory', '--json')), /has no file/);
});

test('how long sessions are kept and how much room they take are checked before anything is opened', () => {
  const where = place();
  for (const size of ['much', '1.2.3', '-1', '5 GB'])
    assert.match(turnout(where, 'agent', 'serve', `--store-max=${size}`).stderr, /--store-max is a size such as 500MB/);
  assert.match(turnout(where, 'agent', 'serve', '--keep-days', '-1').stderr, /keep-days/);
  assert.not.ok(existsSync(fileOf(where)));
});

test('a server forgets sessions that were not used for as long as it was told', async () => {
  const where = await withOneTurn();
  const { default: Libsql } = await import('libsql');
  const db = new Libsql(fileOf(where));
  const days = 5 * 24 * 60 * 60 * 1000;
  db.exec(`UPDATE sessions SET updated_at = updated_at - ${days}; UPDATE runs SET ended_at = ended_at - ${days}`);
  db.close();
  const kept = async (...flags: string[]) => {
    const running = run(['agent', 'serve', ...flags], { place: where });
    servers.push(running);
    for (let id = 1; ; id++) {
      running.send({ op: 'sessions', id });
      const { sessions } = await running.event((one) => one['kind'] === 'result' && one['id'] === id);
      const count = Array.isArray(sessions) ? sessions.length : -1;
      if (count === 0 || flags[1] !== '4' || id > 2000) {
        running.closeStdin();
        await running.ended;
        return count;
      }
    }
  };
  assert.is(await kept('--keep-days', '6'), 1);
  assert.is(await kept('--keep-days', '0'), 1);
  assert.is(await kept('--keep-days', '4'), 0);
});

test.run();
