/** How a program lists its models or sessions: pure descriptions; reading nothing but what it is given. */

import type { ModelEntry, SessionEntry } from '../contract/listing.js';

/** A session as a runner reads it; `time` in milliseconds since 1970. */
export type SessionFound = Omit<SessionEntry, 'time'> & { time: number | null };

/** A window of a plan as a program tells it; `resetsAt` in milliseconds since 1970, or a date as it was told. */
export interface QuotaFound {
  name: string;
  usedPercent: number | null;
  resetsAt: number | string | null;
}

/** A question to the program itself. It never sends a prompt and changes nothing. */
export interface Query<Entry> {
  /** After the program's own argv. */
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Lines for its stdin, all at once; stdin stays open until the answer is there. */
  say?: readonly string[];
  /**
   * @param lines all of its stdout so far
   * @param over whether it has ended
   * @returns the entries, or null while (or, at the end, because) there is no answer
   */
  read(lines: readonly string[], over: boolean): Entry[] | null;
}

/** Sessions that lie in files of their own, one each. */
export interface SessionFiles {
  /** `~` is the home folder, a first `$NAME` a variable (the line is skipped when it is not set); the first that exists counts. */
  folders: readonly string[];
  name: RegExp;
  /** @param text the first 64 KiB of a file; null when it is no session. Its time is the file's */
  read(name: string, text: string): Omit<SessionFound, 'time'> | null;
}

/** What a program says of its plan. */
export interface PlanFound {
  plan: string | null;
  windows: QuotaFound[];
}

/** How a program is asked for its plan: one entry, or none where no plan applies (an API key). */
export type QuotaQuery = Query<PlanFound>;
/** How a program is asked for its models. */
export type ModelQuery = Query<ModelEntry>;
/** Where sessions are listed from: the program itself, or its files. */
export type SessionSource = { ask: Query<SessionFound> } | { files: SessionFiles };
