/** What the disk can do to a store: full, read-only, damaged, wanted by two. Each has to end in words. */

import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { parseObject } from '../../src/text/json.js';
import { type Place, place, TURNOUT, WATCHDOG_MS } from '../contract/cli.js';
import { runProgram } from '../run-program.js';
import { ask } from '../serve/server.js';

export type Verdict = { fault: string } | { skipped: string } | null;

const TOKEN = 's3cret';
/** A file system of our own, without being root: nothing of it is left when its last process is gone. */
const NAMESPACE = ['unshare', '-rm', '--propagation', 'private'] as const;

interface Started {
  pid: number;
  /** null when it ended before it listened. */
  at: string | null;
  stderr(): string;
  /** Ends it. @returns its exit code, null when it had to be killed */
  end(signals: number): Promise<number | null>;
  code(): Promise<number | null>;
}

/** Starts a server, behind other words if any, and waits until it listens or has ended. */
async function server(where: Place, store: string, before: readonly string[] = []): Promise<Started> {
  const args = ['agent', 'serve', '--transport', 'http', '--port', '0', '--auth-token', TOKEN, '--store', store];
  const [program = '', ...rest] = [...before, process.execPath, TURNOUT, ...args];
  const child = spawn(program, rest, { cwd: where.cwd, env: where.env, stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const at = await new Promise<string | null>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      told += text;
      const found = /listening on (http:\/\/\S+)\/v1\/agent/.exec(told)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => resolve(null));
  });
  return {
    pid: child.pid ?? 0,
    at,
    stderr: () => told,
    code: () => ended,
    async end(signals) {
      const late = setTimeout(() => child.kill('SIGKILL'), 2 * WATCHDOG_MS);
      for (let n = 0; n < signals; n++) {
        child.kill('SIGTERM');
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      const code = await ended;
      clearTimeout(late);
      return code;
    },
  };
}

const result = (answer: readonly JsonObject[]) => answer.find((line) => line['kind'] === 'result');
const failure = (answer: readonly JsonObject[]) => answer.find((line) => line['kind'] === 'error');
const turn = (prompt: string, key: string): JsonObject => ({
  op: 'exec',
  runtime: 'demo',
  prompt,
  idempotency_key: key,
});
const health = async (at: string) => parseObject(await (await fetch(`${at}/health`)).text()) ?? {};

class Wrong extends Error {}
function must(fine: boolean, words: string): asserts fine {
  if (!fine) throw new Wrong(words);
}

/** Runs a check; what it finds wrong is its verdict. */
const judged = (check: () => Promise<Verdict>) => async (): Promise<Verdict> => {
  try {
    return await check();
  } catch (error) {
    if (error instanceof Wrong) return { fault: error.message };
    throw error;
  }
};

function withNamespaces(...words: readonly string[]): boolean {
  const [program = '', ...rest] = words;
  return runProgram(program, [...rest, 'true']).status === 0;
}

function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (let size = 65_536; size >= 512; ) {
      try {
        writeSync(file, Buffer.alloc(size, 1));
      } catch {
        size /= 2;
      }
    }
  } finally {
    closeSync(file);
  }
}

/** Asks for turns until one is refused. @returns the keys of those that were answered, with their runs */
async function untilRefused(at: string): Promise<{ answered: Map<string, unknown>; refused: JsonObject }> {
  const answered = new Map<string, unknown>();
  for (let n = 0; n < 40; n++) {
    const answer = await ask(at, turn('say during', `during ${n}`), TOKEN);
    const said = result(answer);
    if (said?.['ok'] !== true) return { answered, refused: failure(answer) ?? {} };
    answered.set(`during ${n}`, said['run_id']);
  }
  throw new Wrong('40 turns were taken on a full disk');
}

async function full(): Promise<Verdict> {
  if (!withNamespaces(...NAMESPACE)) return { skipped: 'unshare makes no mount namespace here' };
  const where = place();
  const disk = join(where.cwd, 'disk');
  mkdirSync(disk);
  const mount = ['sh', '-c', `mount -t tmpfs -o size=3m tmpfs '${disk}' && exec "$0" "$@"`];
  const store = join(disk, 'server.db');
  const first = await server(where, store, [...NAMESPACE, ...mount]);
  must(first.at !== null, `it did not start: ${first.stderr()}`);
  const { at } = first;
  const inside = `/proc/${first.pid}/root${disk}`;
  must(existsSync(join(inside, 'server.db')), 'the store is not on the small disk');
  const before = result(await ask(at, turn('say before', 'before'), TOKEN));
  const slow = result(await ask(at, { ...turn('slow 20', 'slow'), detach: true }, TOKEN));
  fill(join(inside, 'fill'));
  const { answered, refused } = await untilRefused(at);
  must(refused['code'] === 'store', `a turn was refused with ${JSON.stringify(refused)}`);
  must(/disk is full/.test(String(refused['message'])), `the words are ${JSON.stringify(refused['message'])}`);
  const sick = await health(at);
  must(sick['status'] === 'degraded', `/health says ${JSON.stringify(sick)}`);
  must(/disk is full/.test(JSON.stringify(sick)), `/health does not say why: ${JSON.stringify(sick)}`);
  rmSync(join(inside, 'fill'));
  const until = Date.now() + 2 * WATCHDOG_MS;
  while ((await health(at))['status'] !== 'ok' && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 100));
  must((await health(at))['status'] === 'ok', '/health stays degraded although there is room again');
  const after = result(await ask(at, turn('say after', 'after'), TOKEN));
  must(after?.['status'] === 'completed', `a turn after that gave ${JSON.stringify(after)}`);
  const watched = await ask(at, { op: 'events', run_id: String(slow?.['run_id']), follow: true }, TOKEN);
  const events = watched.filter((line) => line['kind'] === 'event');
  must(
    events.every((line, index) => line['seq'] === index + 1) && JSON.stringify(events.at(-1)).includes('"done"'),
    'the log of the run that was under way has a hole or no end',
  );
  for (const [key, id] of [...answered, ['before', before?.['run_id']], ['after', after['run_id']]] as const) {
    const again = result(
      await ask(at, turn(/^\w+/.exec(key)?.[0] === 'during' ? 'say during' : `say ${key}`, key), TOKEN),
    );
    must(again?.['run_id'] === id, `the key ${key} lost its run`);
    const session = result(await ask(at, { op: 'session', session: String(again?.['session_id']) }, TOKEN));
    must(session?.['ok'] === true, `the session of ${key} was never kept`);
  }
  must((await first.end(1)) === 0, 'it did not end by itself');
  return null;
}

async function readOnly(): Promise<Verdict> {
  if (!withNamespaces(...NAMESPACE)) return { skipped: 'unshare makes no mount namespace here' };
  const where = place();
  const disk = join(where.cwd, 'disk');
  mkdirSync(disk);
  const made = await server(where, join(disk, 'server.db'));
  must(made.at !== null, `it did not start: ${made.stderr()}`);
  await made.end(1);
  const mount = [
    'sh',
    '-c',
    `mount --bind '${disk}' '${disk}' && mount -o remount,ro,bind '${disk}' && exec "$0" "$@"`,
  ];
  const second = await server(where, join(disk, 'server.db'), [...NAMESPACE, ...mount]);
  must(second.at === null, 'it started on a disk that it can not write');
  must((await second.code()) === 2, `it ended with ${await second.code()}: ${second.stderr()}`);
  must(/may not be written|read-only|unable to open/.test(second.stderr()), `the words are ${second.stderr()}`);
  return null;
}

function garble(path: string): void {
  const file = openSync(path, 'r+');
  for (let at = 0; at < statSync(path).size; at += 4096) writeSync(file, Buffer.alloc(64, 0xa5), 0, 64, at + 512);
  closeSync(file);
}

async function damagedBefore(): Promise<Verdict> {
  const where = place();
  const store = join(where.cwd, 'server.db');
  const first = await server(where, store);
  must(first.at !== null, `it did not start: ${first.stderr()}`);
  await ask(first.at, turn('long', 'a'), TOKEN);
  await first.end(1);
  garble(store);
  const second = await server(where, store);
  must(second.at === null, 'it started on a damaged store');
  must((await second.code()) === 2, `it ended with ${await second.code()}`);
  must(second.stderr().includes(`turnout store check --store ${store}`), `the words are ${second.stderr()}`);
  return null;
}

async function damagedMeanwhile(): Promise<Verdict> {
  const where = place();
  const store = join(where.cwd, 'server.db');
  const made = await server(where, store);
  must(made.at !== null, `it did not start: ${made.stderr()}`);
  await ask(made.at, turn('long', 'a'), TOKEN);
  // A clean end leaves no log behind, in which the pages would still be whole.
  await made.end(1);
  const first = await server(where, store);
  must(first.at !== null, `it did not start again: ${first.stderr()}`);
  const hanging = result(await ask(first.at, { op: 'exec', runtime: 'demo', prompt: 'hang', detach: true }, TOKEN));
  must(hanging?.['ok'] === true, 'the first turn was not taken');
  for (const file of [store, `${store}-wal`]) if (existsSync(file) && statSync(file).size > 0) garble(file);
  let refused: JsonObject | undefined;
  for (let n = 0; n < 40 && refused === undefined; n++)
    refused = failure(await ask(first.at, { op: 'exec', runtime: 'demo', prompt: 'long' }, TOKEN));
  // Pages that it still holds in memory may carry it a while; what counts is how it says it, and that it ends.
  if (refused !== undefined) {
    must(refused['code'] === 'store', `a turn was refused with ${JSON.stringify(refused)}`);
    const sick = await health(first.at);
    must(sick['status'] === 'degraded', `/health says ${JSON.stringify(sick)}`);
  }
  const code = await first.end(2);
  must(code !== null, 'two signals do not end it');
  return null;
}

async function twoOwners(): Promise<Verdict> {
  const apart = ['unshare', '-rpf', '--mount-proc', '--kill-child'];
  if (!withNamespaces(...apart)) return { skipped: 'unshare makes no pid namespace here' };
  const where = place();
  const store = join(where.cwd, 'server.db');
  const first = await server(where, store);
  must(first.at !== null, `it did not start: ${first.stderr()}`);
  const second = await server(where, store, apart);
  must(second.at === null, 'both have the store');
  must((await second.code()) === 2, `the second ended with ${await second.code()}`);
  const words = `held by process ${first.pid} on ${hostname()}`;
  must(second.stderr().includes(words), `the words are ${second.stderr()}`);
  const said = result(await ask(first.at, turn('say hi', 'a'), TOKEN));
  must(said?.['status'] === 'completed', 'the first one was disturbed');
  await first.end(1);
  const third = await server(where, store, apart);
  must(third.at !== null, `the store was not let go: ${third.stderr()}`);
  // It is the parent of what runs in the namespace, and takes it along.
  process.kill(third.pid, 'SIGKILL');
  await third.code();
  return null;
}

export const STORAGE: readonly (readonly [string, () => Promise<Verdict>])[] = [
  ['a full disk: refused with `store`, degraded, nothing that was answered is lost', judged(full)],
  ['a read-only disk: exit 2 with words', judged(readOnly)],
  ['a store that is damaged before the start: exit 2 with the command that helps', judged(damagedBefore)],
  ['a store that is damaged meanwhile: `store`, and two signals end the server', judged(damagedMeanwhile)],
  ['two owners in two pid namespaces: the second one exits with 2 and names the first', judged(twoOwners)],
];
