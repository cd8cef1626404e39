/** Ends everything a runtime started, also what left its process group. */

import { promisify } from 'node:util';
import { GRACE } from '../contract/limits.js';
import { hasProc, isMarked, procRow, procTable, psTable, type Row } from './process-table.js';
import type { Suspendable } from './suspension.js';
import { endOnWindows, type Leader } from './windows/tree.js';

const sleep = promisify(setTimeout);

export interface EndOptions {
  /** Skips TERM, also for an end that is under way. */
  now?: boolean;
  /** How long the processes have after TERM, milliseconds. */
  termMs?: number;
  /** How long we wait after KILL, milliseconds. */
  killMs?: number;
}

export interface Tree extends Suspendable {
  /** @returns the pids that could not be killed in time */
  end(options?: EndOptions): Promise<{ survivors: number[] }>;
  /** Pids that were seen to belong to it so far, dead ones included. */
  seen(): number[];
  /** Ends what no longer descends from the leader, which lives on. Never throws. */
  tidy(): Promise<void>;
  /** No process of it is watched any more. */
  forget(): void;
}

export interface TreeOptions {
  /** The leader, which began a process group of its own. Both are remembered: the group outlives its leader. */
  pid: number;
  marker: { name: string; value: string };
  /** The same process, as Node holds it: on Windows numbers alone are not safe. */
  leader: Leader;
  /** On Windows: it is the launcher of a job. */
  inJob?: boolean;
  /**
   * The leader is bubblewrap: TERM would end it, and with it everything inside without a word. What it gives is the first
   * process inside, null while that is not known.
   */
  walled?: () => number | null;
  /** For tests: `ps` where /proc would do. */
  source?: 'proc' | 'ps';
  /** For tests: how often descendants are noted, milliseconds. */
  noteMs?: number;
  /** For tests: another way to send a signal. */
  send?: (pid: number, name: NodeJS.Signals) => void;
}

/**
 * Descendants are noted so often, to be found when their parents are gone: where environments can't be read, and
 * elsewhere those that have left both the group and the marker behind (`env -i setsid`).
 */
const NOTE_EVERY = 3000;
const FIRST_POLL = 5;
const LAST_POLL = 25;
/** Others come and go too, on a busy machine all the time. */
const MOST_READINGS = 12;
/** So many environments are open at a time. */
const TOGETHER = 32;

/** Call it right after the spawn: the leader's start time tells its processes from later ones with the same pid. */
export function treeOf(options: TreeOptions): Tree {
  if (process.platform === 'win32')
    return {
      end: ({ killMs = GRACE.kill } = {}) => endOnWindows(options.leader, options.inJob === true, killMs),
      tidy: async () => undefined,
      freeze: async () => undefined,
      thaw: () => undefined,
      seen: () => [options.pid],
      forget: () => undefined,
    };
  const send = options.send ?? sendSignal;
  const byProc = options.source === undefined ? hasProc() : options.source === 'proc';
  const since = byProc ? startOf(options.pid) : null;
  const entry = `${options.marker.name}=${options.marker.value}`;
  /** Seen as ours: pid → start. */
  const known = new Map<number, number | null>([[options.pid, since]]);
  let hurry = false;
  /** In the last reading somebody came or went unseen, who may be ours. */
  let unsure = false;
  let running: Promise<{ survivors: number[] }> | null = null;

  /** The living processes of the tree. */
  async function scan(): Promise<Row[]> {
    unsure = false;
    const missed = () => {
      unsure = true;
    };
    const table = byProc ? await procTable(missed) : await psTable();
    const young = table.filter((row) => since === null || row.start === null || row.start >= since);
    const leader = young.find((row) => row.pid === options.pid);
    const groupIsOurs = leader === undefined || same(leader.start, since);
    const ours = new Set<number>();
    for (const row of young) {
      const before = known.get(row.pid);
      const seen = before !== undefined && same(before, row.start);
      if (seen || (groupIsOurs && row.pgid === options.pid)) ours.add(row.pid);
    }
    if (byProc) {
      const others = young.filter((row) => !ours.has(row.pid) && !row.zombie && row.pid !== process.pid);
      for (let from = 0; from < others.length; from += TOGETHER) {
        const some = others.slice(from, from + TOGETHER);
        const marks = await Promise.all(some.map((row) => isMarked(row.pid, entry)));
        some.forEach((row, index) => {
          if (marks[index]) ours.add(row.pid);
          else if (marks[index] === null) missed();
        });
      }
    }
    addDescendants(ours, young);
    ours.delete(process.pid);
    const rows = young.filter((row) => ours.has(row.pid));
    for (const row of rows) known.set(row.pid, row.start);
    return rows.filter((row) => !row.zombie);
  }

  /** A namespace ends with its first process: once that one and bubblewrap are gone nothing inside lives, unlooked at. */
  function isWallDown(): boolean {
    const inner = byProc ? options.walled?.() : null;
    return typeof inner === 'number' && [options.pid, inner].every(isDead);
  }

  /**
   * A process that forks and ends while the table is read can slip through one reading, hence two, and more while
   * somebody slips. What can't be seen counts as alive: the group is signalled all the same.
   */
  async function living(): Promise<Row[]> {
    if (isWallDown()) return [];
    try {
      let rows = await scan();
      for (let again = 0; rows.length === 0 && again < (unsure ? MOST_READINGS : 1); again++) rows = await scan();
      return rows;
    } catch {
      return [{ pid: options.pid, ppid: 0, pgid: options.pid, start: since, zombie: false }];
    }
  }

  function signal(rows: readonly Row[], name: NodeJS.Signals): void {
    if (options.walled && name === 'SIGTERM') {
      const inner = options.walled();
      // The first process inside ends with the program, and the walls with it.
      for (const row of rows) if (row.pid !== options.pid && row.pid !== inner) send(row.pid, name);
      return;
    }
    if (rows.some((row) => row.pgid === options.pid)) send(-options.pid, name);
    for (const row of rows) if (row.pgid !== options.pid) send(row.pid, name);
  }

  async function run(termMs: number, killMs: number): Promise<{ survivors: number[] }> {
    let rows = await living();
    const told = new Set<number>();
    const termUntil = performance.now() + termMs;
    for (let poll = FIRST_POLL; rows.length > 0 && !hurry && performance.now() < termUntil; poll = longer(poll)) {
      const fresh = rows.filter((row) => !told.has(row.pid));
      if (told.size === 0) signal(fresh, 'SIGTERM');
      else if (options.walled) signal(fresh, 'SIGTERM');
      else for (const row of fresh) send(row.pid, 'SIGTERM');
      for (const row of fresh) told.add(row.pid);
      await sleep(poll);
      rows = await living();
    }
    const killUntil = performance.now() + killMs;
    for (let poll = FIRST_POLL; rows.length > 0; poll = longer(poll)) {
      signal(rows, 'SIGKILL');
      await sleep(poll);
      rows = await living();
      if (performance.now() >= killUntil) break;
    }
    return { survivors: rows.map((row) => row.pid) };
  }

  /** One look at the table and at no environment. What it could not see stays unnoted until the next look. */
  async function note(): Promise<void> {
    const table = byProc ? await procTable() : await psTable();
    const isKnown = ({ pid, start }: Row) => known.has(pid) && same(known.get(pid) ?? null, start);
    const ours = new Set(table.filter(isKnown).map(({ pid }) => pid));
    addDescendants(ours, table);
    for (const row of table) if (ours.has(row.pid)) known.set(row.pid, row.start);
  }

  const noteMs = options.noteMs ?? NOTE_EVERY;
  // Nothing leaves a namespace.
  const noting = options.walled ? undefined : setInterval(() => void note().catch(() => undefined), noteMs).unref();
  const forget = () => clearInterval(noting);

  /** What was lost: of the tree, but no descendant of its leader any more. */
  async function lost(): Promise<Row[]> {
    const rows = await scan();
    const kin = new Set([options.pid]);
    addDescendants(kin, rows);
    return rows.filter((row) => !kin.has(row.pid));
  }

  const frozen = new Set<number>();
  /** Until nothing new is there: a process may have started another before it was stopped. */
  async function freeze(): Promise<void> {
    for (let again = 0; again < MOST_READINGS; again++) {
      const fresh = (await living()).filter((row) => !frozen.has(row.pid));
      if (fresh.length === 0) return;
      for (const row of fresh) {
        frozen.add(row.pid);
        send(row.pid, 'SIGSTOP');
      }
    }
  }

  return {
    forget,
    freeze,
    thaw() {
      for (const pid of frozen) send(pid, 'SIGCONT');
      frozen.clear();
    },
    seen: () => [...known.keys()],
    async tidy() {
      const until = performance.now() + GRACE.term + GRACE.kill;
      const told = new Set<number>();
      try {
        let rows = await lost();
        for (let poll = FIRST_POLL; rows.length > 0 && performance.now() < until; poll = longer(poll)) {
          for (const row of rows) {
            const late = performance.now() > until - GRACE.kill;
            if (late || !told.has(row.pid)) send(row.pid, late ? 'SIGKILL' : 'SIGTERM');
            told.add(row.pid);
          }
          await sleep(poll);
          rows = await lost();
        }
      } catch {
        // What can't be seen now is found when the tree ends.
      }
    },
    async end({ now = false, termMs = GRACE.term, killMs = GRACE.kill } = {}) {
      if (now) hurry = true;
      running ??= run(termMs, killMs).finally(() => {
        running = null;
      });
      return running;
    },
  };
}

/** Null also when it can't be looked up: then every process may be ours by its group or marker. */
function startOf(pid: number): number | null {
  try {
    return procRow(pid)?.start ?? null;
  } catch {
    return null;
  }
}

/** A first process that is a zombie has outlived all others of its namespace. */
function isDead(pid: number): boolean {
  try {
    return procRow(pid)?.zombie ?? true;
  } catch {
    return false;
  }
}

/** Start times where both are known. */
function same(a: number | null, b: number | null): boolean {
  return a === null || b === null || a === b;
}

function longer(poll: number): number {
  return Math.min(LAST_POLL, poll + 5);
}

/** Adds children of what is in the set until nothing more comes. */
function addDescendants(ours: Set<number>, rows: readonly Row[]): void {
  for (let before = -1; before !== ours.size; ) {
    before = ours.size;
    for (const row of rows) if (ours.has(row.ppid)) ours.add(row.pid);
  }
}

/** ESRCH: it is gone already. EPERM: it runs as somebody else, and the next look at the table shows it as a survivor. */
function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
