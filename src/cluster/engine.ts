/**
 * What a cluster keeps its runs in: Redis or PostgreSQL. Every function is one atomic step of the engine, so that fronts and
 * workers may die between any two of them. A run is worked on by whoever claimed it last; the epoch of the claim fences
 * everybody else's writes. All failures of the engine itself are {@link CoreError}s with the reason `store`.
 */

import type { JsonObject } from '../contract/vocabulary.js';
import type { TurnPlan } from '../runs/plan.js';
import type { Caller } from '../runs/ports.js';
import type {
  Command,
  IdempotencyKey,
  LogEntry,
  Message,
  Receipt,
  RunChange,
  RunRecord,
  SessionRecord,
} from '../runs/records.js';
import type { ReadLimits } from '../runs/store/store.js';

/** What a worker needs of a run beside its record. Forgotten when the run is over: it may hold the caller's variables. */
export interface StoredTurn {
  plan: TurnPlan;
  caller: Caller;
  /** What the runtime calls the session, if it lets us choose. */
  native: string;
  history: readonly Pick<Message, 'role' | 'text'>[];
}

export interface Acceptance {
  record: RunRecord;
  turn: StoredTurn;
  /** The queue whose workers can run it. */
  queue: string;
  /** A session that begins with this run; null: it exists. */
  session: SessionRecord | null;
  key: { key: string; fingerprint: string } | null;
  whenBusy: 'queue' | 'refuse';
  /** Runs that may wait, of all callers and of this one. */
  most: { all: number; caller: number };
  /** Who waits for it from the start; null: it goes on whoever waits. */
  attendee: string | null;
}

export type Accepted =
  /** @property due no other run of the session is before it: it can be given to the queue */
  | { kind: 'accepted'; due: Due | null }
  /** The key was given before. */
  | { kind: 'known'; run: string }
  | { kind: 'refused'; reason: 'conflict' | 'session-busy' | 'busy' | 'not-found'; waiting: number };

/** A run whose turn came, as the queue needs it. @property ticket lower ones come first */
export interface Due {
  run: string;
  queue: string;
  ticket: number;
}

/** Who waits for a run. */
export interface Attending {
  waiting: number;
  /** How many of those can answer questions. */
  hearing: number;
  /** It goes on whoever waits. */
  detached: boolean;
}

export interface Attended extends Attending {
  over: boolean;
  /** It was given a key: its caller may come back for it. */
  keyed: boolean;
}

export type Attend =
  | { op: 'attend' | 'deaf' | 'leave'; id: string }
  /** From now on it goes on whoever waits. */
  | { op: 'detach' }
  /** Only look. */
  | { op: 'look' };

/** What was sent to a run before it began, and the id it was given. */
export interface Kept {
  mail: string;
  command: Command;
}

export type Claim =
  | { kind: 'begin'; epoch: number; record: RunRecord; turn: StoredTurn; attending: Attending; kept: Kept[] }
  /** Who worked on it is gone: it may have begun, so it is never begun again. */
  | { kind: 'lost'; epoch: number; record: RunRecord }
  | { kind: 'over' }
  | { kind: 'unknown' };

/** What a worker writes at once. */
export interface Batch {
  run: string;
  epoch: number;
  /** Without holes; may hold some that were written before. */
  entries: readonly LogEntry[];
  /** As it is after the entries. */
  record: RunRecord;
  /** What the runtime said about the session. */
  learned: { native?: string; runtime?: string };
}

export type Appended =
  /** @property due the next run of the session, when this one is over */
  | { kind: 'ok'; due: Due | null }
  /** Somebody else claimed it, or it was ended: nothing was written. */
  | { kind: 'fenced' }
  /** The engine lost entries that it had confirmed; `last` is the last one it has. */
  | { kind: 'behind'; last: number };

export interface LogState {
  last: number;
  over: boolean;
  /** Its entries are in the archive. */
  archived: boolean;
}

export type Posted =
  /** It was sent before. */
  | { kind: 'receipt'; receipt: Receipt }
  /** On its way to the worker. */
  | { kind: 'posted' }
  /** The run has not begun: guidance is kept, as the n-th. */
  | { kind: 'kept'; nth: number }
  /** The run has not begun. */
  | { kind: 'queued' }
  | { kind: 'over' };

/** A command for a run that a worker works on. `deaf` says that nobody can answer any more, `attended` what is waited for. */
export type Letter = Command | { type: 'deaf' };

export interface Delivered {
  /** Where it stands in the worker's mailbox. */
  place: string;
  run: string;
  epoch: number;
  mail: string;
  letter: Letter;
}

/** A process of the cluster, as it says itself. */
export interface Member {
  id: string;
  /** Differs each time it starts. */
  instance: string;
  role: 'all' | 'front' | 'worker';
  host: string;
  pid: number;
  version: string;
  /** Ids of runtimes that are installed, with their version where it is known. */
  runtimes: Readonly<Record<string, string | null>>;
  labels: readonly string[];
  places: number;
  running: number;
  waiting: number;
  draining: boolean;
  /** Bytes that are free, and what must be free for another run. */
  memory: { free: number; least: number };
  /** Milliseconds since 1970 by its own clock. */
  since: number;
}

/** A run that is not over. */
export interface OpenRun {
  run: string;
  session: string;
  queue: string;
  ticket: number;
  /** `id#instance` of who claimed it; null: it waits. */
  worker: string | null;
  /** No other run of its session is before it. */
  first: boolean;
}

/** What is heard: a run's log, receipt or record changed; any run changed; mail came; something may be due; a member was asked for something. */
export type Topic = `run:${string}` | 'changes' | `mail:${string}` | 'due' | 'asked';

/** The part of an engine that reads runs and sessions, and keeps notes beside them. */
export type Reads = Pick<
  Engine,
  | 'run'
  | 'logState'
  | 'events'
  | 'unsealed'
  | 'seal'
  | 'runsBefore'
  | 'runsOf'
  | 'changes'
  | 'lastChange'
  | 'key'
  | 'putSession'
  | 'session'
  | 'homeOf'
  | 'sessionsBefore'
  | 'dropSession'
  | 'note'
  | 'notes'
>;

export interface Engine {
  /** What people call it; holds no secret. */
  readonly name: string;
  /** What tells its data from that of every other. */
  readonly id: string;
  /** Why it can't be asked now; null: it can. */
  degraded(): string | null;
  /** Why nothing more should be put into it; null: there is room. */
  short(): Promise<string | null>;

  accept(acceptance: Acceptance): Promise<Accepted>;
  attend(run: string, how: Attend): Promise<Attended>;
  /** Who waits for a run, by the ids they gave. */
  attendees(run: string): Promise<string[]>;
  /** @param worker `id#instance` */
  claim(run: string, worker: string): Promise<Claim>;
  append(batch: Batch): Promise<Appended>;

  run(id: string): Promise<RunRecord | null>;
  logState(run: string): Promise<LogState | null>;
  /** Entries after a number; the first one may be later: those before it are gone. */
  events(run: string, after: number, limits: ReadLimits): Promise<LogEntry[]>;
  /** Runs that ended before a time, in milliseconds since 1970, and are not archived; oldest first. */
  unsealed(before: number, limit: number): Promise<RunRecord[]>;
  /** Forgets the entries of a run that is over: they are in the archive. */
  seal(run: string): Promise<void>;
  /** Newest first, those before a place. */
  runsBefore(place: number | null, limit: number): Promise<{ place: number; run: RunRecord }[]>;
  /** Of one session, oldest first. */
  runsOf(session: string): Promise<RunRecord[]>;
  changes(after: number, limit: number): Promise<RunChange[]>;
  lastChange(): Promise<number>;
  key(key: string): Promise<Pick<IdempotencyKey, 'fingerprint' | 'run_id'> | null>;

  putSession(session: SessionRecord): Promise<void>;
  session(id: string): Promise<SessionRecord | null>;
  /** The worker that has the session's files; null before its first run. */
  homeOf(session: string): Promise<string | null>;
  /** Last used first, those before a place. */
  sessionsBefore(place: number | null, limit: number): Promise<{ place: number; session: SessionRecord }[]>;
  /** @param idle only when nothing is under way in it @returns whether it is gone */
  dropSession(id: string, idle?: boolean): Promise<boolean>;

  note(run: string, name: string, note: JsonObject): Promise<void>;
  notes(run: string, name: string): Promise<JsonObject[]>;

  post(run: string, mail: string, letter: Letter): Promise<Posted>;
  /** What came for a worker after a place. */
  mail(worker: string, after: string | null): Promise<Delivered[]>;
  /** Forgets what was delivered. */
  taken(worker: string, places: readonly string[]): Promise<void>;
  putReceipt(run: string, mail: string, receipt: Receipt): Promise<void>;
  receipt(mail: string): Promise<Receipt | null>;

  /** Runs that wait, and runs that are worked on. */
  load(): Promise<{ queued: number; claimed: number }>;
  open(): Promise<OpenRun[]>;
  /** Says that a member is alive, for so many milliseconds. @returns false when another process has the same id */
  beat(member: Member, ttlMs: number): Promise<boolean>;
  members(): Promise<Member[]>;
  leave(member: Pick<Member, 'id' | 'instance'>): Promise<void>;
  /** Asks members to take nothing more. */
  setDraining(id: string, draining: boolean): Promise<void>;
  isDraining(id: string): Promise<boolean>;
  /** @returns whether this one is the leader now, for so many milliseconds */
  lead(instance: string, ttlMs: number): Promise<boolean>;
  /** Queues that were ever asked for. */
  queues(): Promise<string[]>;

  /** Tells all who listen. */
  tell(topic: Topic): Promise<void>;
  /** @returns ends it */
  listen(topic: Topic, hear: () => void): Promise<() => void>;
  close(): Promise<void>;
}
