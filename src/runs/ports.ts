/**
 * What every surface stands on. A surface asks for a turn (`Runs.start`), reads its log from a cursor (`RunLog.follow`),
 * sends commands to it (`Runs.send`), and watches what others do (`Runs.watch`, `Sessions.follow`). Everything is
 * asynchronous, so that runs may be worked on by another process; test/runs/conformance.ts holds what any implementation
 * must do.
 *
 * Promises of every implementation:
 * - a run that `start` answered with, a session, a key and every entry that a reader was given are durable;
 * - an entry's number is never given to another event, numbers come without holes, and the last entry is `done`;
 * - turns of one session run one after another, in the order in which they were accepted;
 * - what belongs to another principal is "not found"; the owner sees everything.
 *
 * Failures are {@link CoreError}s with a stable reason.
 */

import type { Principal } from '../contract/principal.js';
import type { Json, JsonObject } from '../contract/vocabulary.js';
import type { Tap } from '../turn/world.js';
import type { Given } from './clock-and-ids.js';
import type { TurnPlan } from './plan.js';
import type {
  Command,
  EndCause,
  Hit,
  LogEntry,
  Message,
  Metadata,
  Receipt,
  RunChange,
  RunRecord,
  Said,
  SessionChoice,
  SessionRecord,
} from './records.js';
import type { RunFilter, SessionFilter } from './store/store.js';
import type { RunView } from './view.js';

/** On whose behalf something is asked, and through which surface. */
export interface Caller {
  principal: Principal;
  /** `http`, `stdio`, `unix`, `mcp`, `acp`, `openai`, … */
  surface: string;
}

/** The conversation that a turn belongs to. */
export type Conversation =
  /** A new one; `native` is set when the runtime knows it already (`--resume`). */
  | { kind: 'new'; native?: string | null; title?: string }
  /** The turn goes on where the last accepted turn of the session ends. */
  | { kind: 'continue'; id: string }
  /** A new one that begins with what was said in another. */
  | { kind: 'fork'; id: string };

export interface Submission {
  caller: Caller;
  /**
   * The turn. `resume` and what was said before are filled in when its turn comes, from the session as it is then.
   * Working directory, runtime and prompt are those of the plan.
   */
  plan: TurnPlan;
  conversation: Conversation;
  /** What was said before, for a runtime that does not know it: put in front of the turn as a transcript. */
  history?: readonly Pick<Message, 'role' | 'text'>[];
  metadata?: Metadata;
  /** Another turn of the session is under way: wait for it (default), or be refused with `session-busy`. */
  whenBusy?: 'queue' | 'refuse';
  /** All places are taken: wait for one (default), or be refused with `busy`. */
  whenFull?: 'queue' | 'refuse';
  /** Whether the run ends when nobody attends it any more (see {@link Attendance}). */
  attended: boolean;
  /** The same key with the same request (in whatever order its fields stand) gives the same run. */
  idempotency?: { key: string; request: Json };
  /** Clock and ids; the machine's when absent. */
  given?: Given;
  /** Hears everything that passes through the turn. Only where the turn runs in this process. */
  tap?: Tap;
  /** Called once, when the run is over or was refused: frees what was made for it. */
  release?(): Promise<void>;
}

export interface Started {
  /** As it was when it was accepted; of a replayed key, as it is now. */
  run: RunRecord;
  /** The key was seen before: this is the run it was given then. */
  replayed: boolean;
  /** Set when the submission was `attended` and the run is not over. */
  attendance: Attendance | null;
}

/**
 * A caller that waits for a run. When the last one leaves, the run is cancelled with the cause `disconnect`: at once, or,
 * when it has an idempotency key, after a grace time in which the caller may come back. A run that was once submitted
 * without `attended` goes on.
 */
export interface Attendance {
  /** The caller can't answer questions and calls any more, but still reads. */
  deaf(): void;
  /** The caller is gone, or has its answer. Later calls do nothing. */
  leave(): void;
}

export interface WatchOptions {
  /** The position of the last change that is known; the newest one when absent. */
  after?: number;
  /** Only runs of this session. */
  session?: string;
  signal?: AbortSignal;
}

export interface Runs {
  /**
   * Accepts a turn: the run, its session and its key are durable when it resolves.
   * @throws {CoreError} busy, session-busy, draining, conflict (the key was used for another request), not-found (the
   * session), store, credential-owner
   */
  start(submission: Submission): Promise<Started>;
  /** The run that a key was given before; null when a run with that key would be a new one. @throws {CoreError} conflict */
  seen(idempotency: NonNullable<Submission['idempotency']>, caller: Caller): Promise<RunRecord | null>;
  /** @throws {CoreError} not-found */
  get(id: string, caller: Caller): Promise<RunView>;
  /** Newest first. */
  list(filter: RunFilter, caller: Caller): Promise<RunRecord[]>;
  /**
   * Sends a command to a run, wherever it is worked on. A command with an id that was sent before is not done again:
   * its receipt is returned.
   * @throws {CoreError} not-found, not-active (it is over), not-pending (no such question or call is open), unsupported,
   * bad-request
   */
  send(id: string, command: Command, caller: Caller, mail?: string): Promise<Receipt & { ok: true }>;
  /** Waits for a run on behalf of one more caller; null when it is over. @throws {CoreError} not-found */
  attend(id: string, caller: Caller): Promise<Attendance | null>;
  /** The final record, once it is durable and nothing of the run is left on the machine. @throws {CoreError} not-found */
  ended(id: string, caller: Caller, signal?: AbortSignal): Promise<RunRecord>;
  /**
   * Every change of status of every run that the caller may see. A reader that falls behind, or comes back with its
   * position, gets the last change of each run. Ends with the signal.
   */
  watch(options: WatchOptions, caller: Caller): AsyncIterable<RunChange>;
}

/** What a reader of a log is given: an entry, or the word that some are no longer kept. */
export type Followed = { entry: LogEntry } | { gap: { from: number; to: number } };

export interface FollowOptions {
  /** The number of the last entry that is known; 0 is the beginning. */
  after: number;
  /** Whether to wait for what comes, up to the end of the run. */
  follow: boolean;
  /** Ends the reading. */
  signal?: AbortSignal;
  /** The runtime is held back while this reader is more than 4 MiB behind, until it is less than 1 MiB behind. */
  holds?: boolean;
}

/** Entries up to a limit. */
export interface Page {
  entries: LogEntry[];
  /** How many before the first entry are no longer kept. */
  missing: number;
  /** Where to go on. */
  next: number;
  /** The last number there is now. */
  last: number;
  /** Nothing follows `last`. */
  over: boolean;
}

export interface RunLog {
  /** @throws {CoreError} not-found; bad-request when `after` is beyond the last entry */
  follow(id: string, options: FollowOptions, caller: Caller): AsyncIterable<Followed>;
  /**
   * @param limits entries, and UTF-16 units of their lines; always one entry when there is one
   * @throws {CoreError} as `follow`
   */
  page(id: string, after: number, limits: { entries: number; size: number }, caller: Caller): Promise<Page>;
  /** Resolves when there is an entry after that number, or nothing follows. @throws {CoreError} as `follow` */
  more(id: string, after: number, caller: Caller, signal?: AbortSignal): Promise<void>;
  /** Keeps something beside a log, under the surface's own name; it goes when the run goes. */
  note(id: string, name: string, note: JsonObject): Promise<void>;
  notes(id: string, name: string): Promise<JsonObject[]>;
}

/** What happens in a session: its runs as they change, and their entries in order. */
export type SessionNews =
  | { run: RunRecord }
  /** @property cursor where to go on after a lost connection */
  | { run_id: string; cursor: string; entry: LogEntry }
  | { run_id: string; cursor: string; gap: { from: number; to: number } };

export interface Sessions {
  /** Begins one without a turn. */
  create(
    what: {
      runtime: string;
      cwd: string;
      title?: string;
      metadata?: Metadata;
      opening?: readonly Said[];
      chosen?: SessionChoice;
    },
    caller: Caller,
    given?: Given,
  ): Promise<SessionRecord>;
  /** A new session that begins with what was said in another. @throws {CoreError} not-found */
  fork(id: string, caller: Caller, given?: Given): Promise<SessionRecord>;
  get(id: string, caller: Caller): Promise<SessionRecord | null>;
  /** Last used first. */
  list(filter: SessionFilter, caller: Caller): Promise<SessionRecord[]>;
  /**
   * Its runs, oldest first, after those that were there when it was forked.
   * @param dropped whether those are among them that it was rewound past
   * @throws {CoreError} not-found
   */
  runs(id: string, caller: Caller, dropped?: boolean): Promise<RunRecord[]>;
  /**
   * The session goes on as if a run, and those after it, had not been. Their records and logs are kept; the runtime is told
   * in the next turn what was said before.
   * @throws {CoreError} not-found (the session, or a run of it with that id), session-busy
   */
  rewind(id: string, run: string, caller: Caller): Promise<void>;
  /** @throws {CoreError} not-found */
  transcript(id: string, caller: Caller): Promise<Message[]>;
  /** Something else of it was decided. A runtime of another kind does not know its own id: give null for that. */
  set(
    id: string,
    what: Partial<Pick<SessionRecord, 'title' | 'runtime' | 'native_id' | 'chosen' | 'metadata'>>,
    caller: Caller,
  ): Promise<void>;
  /** Forgets it and its runs; what forks of it need of it is kept out of sight. */
  remove(id: string, caller: Caller): Promise<void>;
  /** Lines of prompts and answers that hold a text; newest first. */
  find(query: string, top: number, caller: Caller): Promise<Hit[]>;
  /**
   * Everything that happens in a session, also in turns that others begin, one run after another. Ends with the signal.
   * @param options.after a cursor that was given; the beginning when absent
   * @throws {CoreError} not-found, bad-request
   */
  follow(id: string, options: { after?: string; signal?: AbortSignal }, caller: Caller): AsyncIterable<SessionNews>;
}

/** A run that waits for its turn. */
export interface Job {
  run_id: string;
  session_id: string;
  caller: Caller;
}

/** A place among those that run at once. It is given back while the run waits for a person, its caller's tools or a stalled reader. */
export interface Place {
  yield(): void;
  /** Never waits: for a while more may run than there are places. */
  retake(): void;
}

export interface Load {
  /** Turns that may run at once. */
  places: number;
  /** Places that are taken. */
  running: number;
  /** Turns that gave their place back for a while. */
  waiting: number;
  /** Accepted, and waiting for a place or for their session. */
  queued: number;
}

/** Who runs next: order, admission, and the end of it. */
export interface Dispatch {
  /**
   * Takes a run in. `start` in {@link Runs} does this.
   * @throws {CoreError} busy, session-busy, draining
   */
  enqueue(job: Job, how: { whenBusy: 'queue' | 'refuse'; whenFull: 'queue' | 'refuse' }): Promise<void>;
  /** Takes a run out that has not begun. @returns false when it had */
  withdraw(run: string): Promise<boolean>;
  /**
   * The worker's side: called for each run whose turn came. The place is free again when the promise resolves.
   * @param begun to be called once its program was started, so that the next one may be
   */
  serve(work: (job: Job, place: Place, begun: () => void) => Promise<void>): void;
  load(): Promise<Load>;
  /** From now on nothing is accepted. Resolves when nothing runs any more. */
  drain(): Promise<void>;
}

/** What ends the work of this process. */
export interface Lifetime {
  /** Cancels every run that this process works on. */
  cancelAll(cause: EndCause & ('user' | 'shutdown')): void;
  /** From now on nothing is accepted. Resolves when nothing runs any more. */
  drain(): Promise<void>;
}
