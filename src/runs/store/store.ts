/**
 * Where one process keeps runs, sessions, events and keys. Writes are taken at once and seen by the reads of this process,
 * but for events: those are seen once they are durable. `commit` makes everything durable that was written before.
 */

import type { JsonObject } from '../../contract/vocabulary.js';
import { entryLine } from '../entry-line.js';
import type {
  Hit,
  IdempotencyKey,
  LogEntry,
  Mail,
  Receipt,
  RunChange,
  RunRecord,
  RunStatus,
  SessionRecord,
} from '../records.js';

/** One line of an org's log, as it is printed. */
export interface OrgLine {
  id: string;
  /** The folder that the org belongs to, and its name there. */
  project: string;
  org: string;
  /** The id of the run among those of the org, and ours. */
  run: string;
  run_id: string;
  /** Milliseconds since 1970. */
  at: number;
  json: string;
}

/** Where a line stands among all of its store: places only grow, in the order in which lines became durable. */
export interface PlacedLine {
  place: number;
  json: string;
}

export interface LineFilter {
  project: string;
  org: string;
  /** Only those of one run. */
  run?: string;
  /** Only those that came at or after, milliseconds since 1970. */
  since?: number;
  limit: number;
}

export interface RunFilter {
  limit: number;
  /** Only those of a project's orgs, or of one of them. */
  series?: { project: string; org?: string };
  session?: string;
  status?: RunStatus;
  /** Created at or after. */
  since?: number;
  /** Only those of this principal. */
  principal?: string;
}

export interface SessionFilter {
  limit: number;
  cwd?: string;
  since?: number;
  principal?: string;
}

/** What is forgotten. Times in milliseconds. */
export interface Retention {
  /** Since 1970. */
  now: number;
  /** Sessions that were last used longer ago; null: none. */
  keepMs: number | null;
  /** Idempotency keys that are older. */
  keysMs: number;
  /** While there are more bytes, the longest unused session that was not used in the last hour; null: none. */
  maxBytes: number | null;
}

/** How much one read of a log returns: whichever is reached first, but always one entry when there is one. */
export interface ReadLimits {
  entries: number;
  /** Of the entries' lines, UTF-16 units. */
  size: number;
}

export interface Store {
  /** What people call it: a path, or `memory`. */
  readonly name: string;
  /** Given once, when it is made, and never to another store. */
  readonly id: string;
  /** Other processes work with it too: what they write is found by looking again. */
  readonly shared: boolean;
  /** Why it does not do its work; null: it does. */
  degraded(): string | null;
  putRun(run: RunRecord): void;
  run(id: string): RunRecord | null;
  /** Newest first. */
  runs(filter: RunFilter): RunRecord[];
  /** Of one session, oldest first. */
  runsOf(session: string): RunRecord[];
  /** Runs that changed after a position, in the order of their last change. */
  changes(after: number, limit: number): RunChange[];
  /** The position of the newest change; 0 when there is none. */
  lastChange(): number;
  putSession(session: SessionRecord): void;
  session(id: string): SessionRecord | null;
  /** Last used first. */
  sessions(filter: SessionFilter): SessionRecord[];
  /** Forgets a session with its runs and their events. */
  dropSession(id: string): void;
  /** Runs that are not over although nobody works on them any more: the process that did is gone. */
  abandoned(): RunRecord[];
  /** Numbers come without holes. */
  append(run: string, entry: LogEntry): void;
  /**
   * Entries after a number, the durable ones alone. The first one may have a higher number than asked for: those before
   * it are gone.
   */
  events(run: string, after: number, limits: ReadLimits): LogEntry[];
  /** The number of the last durable entry; 0 when there is none. */
  lastSeq(run: string): number;
  /** What a surface keeps beside a run's log, under a name of its own; goes when the run goes. */
  putNote(run: string, name: string, note: JsonObject): void;
  /** In the order they were put. */
  notes(run: string, name: string): JsonObject[];
  /** Puts a line of an org's log; an id that is there already is left alone. Goes when its run goes. */
  putLine(line: OrgLine): void;
  /** The durable lines after a place, in order. */
  lines(filter: LineFilter, after: number): PlacedLine[];
  /** Where a line of an org stands, and of which run it is; null when it is not there. */
  placeOf(org: Pick<LineFilter, 'project' | 'org'>, id: string): { place: number; run: string } | null;
  /** How many lines a run of an org has, and when the last one came; zeros when it has none. */
  lastLine(run: string): { count: number; at: number };
  putKey(key: string, value: IdempotencyKey): void;
  /**
   * Puts a key with its run at once, unless another process put that key since it was read: of two that begin a run with
   * one new key in the same moment, one does.
   * @param instead the run that the key stood for when it was read; null: it was not there
   * @returns whether it was put; otherwise nothing was
   * @throws {CoreError} store
   */
  putKeyed(name: string, key: IdempotencyKey, instead: string | null, run: RunRecord): boolean;
  key(key: string): IdempotencyKey | null;
  /** Puts a command in the mailbox of a run, for the process that works on it. An id that is there already is left alone. */
  post(mail: Mail): void;
  /** What was posted to runs and has no receipt yet, oldest first. */
  mail(runs: readonly string[]): Mail[];
  putReceipt(mail: string, receipt: Receipt): void;
  receipt(mail: string): Receipt | null;
  /** Lines of prompts and answers that hold a text, whatever its case; newest runs first. */
  find(query: string, top: number, principal?: string): Hit[];
  /**
   * Forgets sessions as wholes, with all of their runs, while others work on. One that has a run under way, or a fork that
   * is kept, is kept. @returns how many were forgotten @throws {CoreError} store
   */
  sweep(retention: Retention): Promise<number>;
  /**
   * Resolves when everything written before the call survives our sudden death; what came meanwhile goes in the same
   * transaction. What could not be written is kept and tried again with the next commit.
   * @throws {CoreError} store
   */
  commit(): Promise<void>;
  /**
   * Takes back what was put and is not durable yet: nobody was answered. What was there before is as it was.
   */
  takeBack(what: { run: string; session?: string; key?: string }): void;
  close(): void;
}

/** What a run that is worked on needs of its store. */
export type RunStore = Pick<Store, 'putRun' | 'append' | 'events' | 'commit'>;

/** As many entries from the first on as the limits allow. */
export function within(entries: readonly LogEntry[], limits: ReadLimits): LogEntry[] {
  const taken: LogEntry[] = [];
  let size = 0;
  for (const entry of entries) {
    size += entryLine(entry.event).length;
    if (taken.length > 0 && (size > limits.size || taken.length === limits.entries)) break;
    taken.push(entry);
  }
  return taken;
}

/** The lines of one run that hold a text. */
export function hitsIn(run: RunRecord, query: string): Hit[] {
  const wanted = query.toLowerCase();
  const messages = [
    { role: 'user' as const, text: run.prompt },
    { role: 'assistant' as const, text: run.text ?? '' },
  ];
  return messages.flatMap(({ role, text }) => {
    if (!text.toLowerCase().includes(wanted)) return [];
    return text.split('\n').flatMap((line, index) => {
      const at = line.toLowerCase().indexOf(wanted);
      if (at < 0) return [];
      return [{ session_id: run.session_id, run_id: run.run_id, role, line: index + 1, text: around(line, at) }];
    });
  });
}

const SHOWN = 400;

/** A line may be a whole file: the part around the match is enough. */
function around(line: string, at: number): string {
  if (line.length <= SHOWN) return line;
  const from = Math.max(0, at - SHOWN / 2);
  return line.slice(from, from + SHOWN).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}
