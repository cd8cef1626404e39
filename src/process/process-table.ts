/** Who runs on this machine: read from /proc where there is one (2 ms for 250 processes), from `ps` elsewhere. */

import { closeSync, existsSync, openSync, readdir, readFile, readSync } from 'node:fs';
import { promisify } from 'node:util';

export interface Row {
  pid: number;
  ppid: number;
  pgid: number;
  /** Clock ticks since boot: with the pid it names a process for good. Null where `ps` was asked. */
  start: number | null;
  /** Dead, but nobody has asked for its exit code yet. */
  zombie: boolean;
}

/** Characters of output; a machine with 100,000 processes prints a tenth of it. */
const PS_LIMIT = 64 * 1024 * 1024;
const listFolder = promisify(readdir);
const nextTurn = promisify(setImmediate);

/** Many small synchronous reads cost a fifth of asynchronous ones; so many at a time block for about a millisecond. */
const SLICE = 128;
const stat = Buffer.alloc(4096);

interface Reading {
  rows: readonly Row[];
  /** Processes that ended meanwhile: they are left out. */
  gone: number;
}

let running: Promise<unknown> | null = null;
let waiting: Promise<Reading> | null = null;

/**
 * The table from /proc (Linux), read after this was called. Turns that end at once share a reading: who asks while one
 * is under way gets the next one.
 * @param onGone called for each process that ended meanwhile
 */
export async function procTable(onGone: () => void = () => {}): Promise<readonly Row[]> {
  waiting ??= begin();
  const { rows, gone } = await waiting;
  for (let left = gone; left > 0; left--) onGone();
  return rows;
}

async function begin(): Promise<Reading> {
  await running?.catch(() => undefined);
  // From here on it is too late to join.
  waiting = null;
  const reading = readProc();
  running = reading;
  return reading;
}

async function readProc(): Promise<Reading> {
  const rows: Row[] = [];
  let read = 0;
  let gone = 0;
  for (const name of await listFolder('/proc')) {
    const first = name.charCodeAt(0);
    if (first < 48 || first > 57) continue;
    const row = procRow(name);
    if (row) rows.push(row);
    else gone++;
    if (++read % SLICE === 0) await nextTurn();
  }
  return { rows, gone };
}

/**
 * One row of /proc; null when there is no such process.
 * @throws when it could not be looked up (no descriptors left, say): that does not mean that it is gone
 */
export function procRow(pid: number | string): Row | null {
  let length: number;
  try {
    const file = openSync(`/proc/${pid}/stat`, 'r');
    try {
      length = readSync(file, stat, 0, stat.length, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
  return parseStat(stat.toString('latin1', 0, length));
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
}

/** `pid (name) state ppid pgrp session … starttime(22)`; the name may hold spaces and parentheses. */
export function parseStat(text: string): Row | null {
  const open = text.indexOf(' (');
  const close = text.lastIndexOf(') ');
  if (open < 0 || close < 0) return null;
  const fields = text.slice(close + 2).split(' ', 20);
  const [state, ppid, pgid] = fields;
  return {
    pid: Number(text.slice(0, open)),
    ppid: Number(ppid),
    pgid: Number(pgid),
    start: Number(fields[19]),
    zombie: state === 'Z' || state === 'X',
  };
}

/** The table from `ps` (macOS, and Linux without /proc). */
export async function psTable(): Promise<Row[]> {
  // Loaded here: no turn on Linux or Windows needs it, and it costs as much as all else that a turn loads.
  const { execa } = await import('execa');
  const { stdout } = await execa(
    existsSync('/bin/ps') ? '/bin/ps' : '/usr/bin/ps',
    ['-axo', 'pid=,ppid=,pgid=,stat='],
    {
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      extendEnv: false,
      lines: true,
      maxBuffer: PS_LIMIT,
      timeout: 5000,
    },
  );
  return stdout.flatMap((line) => {
    const [pid, ppid, pgid, state] = line.trim().split(/\s+/);
    if (!pid || !state) return [];
    return [{ pid: Number(pid), ppid: Number(ppid), pgid: Number(pgid), start: null, zombie: state.startsWith('Z') }];
  });
}

/** Whether there is a /proc of the Linux kind. */
export function hasProc(): boolean {
  return process.platform === 'linux' && existsSync('/proc/self/environ');
}

/**
 * Whether a process was started with exactly this `NAME=value`. A process of another user is not ours to read: false.
 * Null when it can't be told: it is gone meanwhile, or just becoming another program and shows no environment at all.
 * @throws when it could not be looked up for another reason
 */
export function isMarked(pid: number, entry: string): Promise<boolean | null> {
  return new Promise((resolve, reject) => {
    readFile(`/proc/${pid}/environ`, (error, bytes) => {
      if (error === null) resolve(bytes.length === 0 ? null : holdsEntry(bytes, entry));
      else if (isGone(error)) resolve(null);
      else if (error.code === 'EACCES' || error.code === 'EPERM') resolve(false);
      else reject(error);
    });
  });
}

/** Entries are separated by NUL; a longer name or value that contains the entry does not count. */
export function holdsEntry(environ: Buffer, entry: string): boolean {
  const wanted = Buffer.from(entry);
  for (let at = environ.indexOf(wanted); at >= 0; at = environ.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if ((at === 0 || environ[at - 1] === 0) && (end === environ.length || environ[end] === 0)) return true;
  }
  return false;
}
