/** Where runs, sessions and events are kept. Everything is synchronous: a value that was put can be read at once. */

import type { Hit, IdempotencyKey, LogEntry, RunRecord, RunStatus, SessionRecord } from '../records.js';

export interface RunFilter {
  limit: number;
  session?: string;
  status?: RunStatus;
  /** Created at or after. */
  since?: number;
}

export interface SessionFilter {
  limit: number;
  cwd?: string;
  since?: number;
}

export interface Store {
  /** What people call it: a path, or `memory`. */
  readonly name: string;
  putRun(run: RunRecord): void;
  run(id: string): RunRecord | null;
  /** Newest first. */
  runs(filter: RunFilter): RunRecord[];
  /** Of one session, oldest first. */
  runsOf(session: string): RunRecord[];
  putSession(session: SessionRecord): void;
  session(id: string): SessionRecord | null;
  /** Last used first. */
  sessions(filter: SessionFilter): SessionRecord[];
  /** Forgets a session with its runs and their events. */
  dropSession(id: string): void;
  /** Runs that are not over although nobody works on them any more: the process that did is gone. */
  abandoned(): RunRecord[];
  /** Numbers come without holes. A surface may keep notes of its own under `RUN/NAME`; they go when the run goes. */
  append(run: string, entry: LogEntry): void;
  /** Entries after a number, at most `most`. The first one may have a higher number than asked for: those before it are gone. */
  events(run: string, after: number, most: number): LogEntry[];
  putKey(key: string, value: IdempotencyKey): void;
  key(key: string): IdempotencyKey | null;
  /** Lines of prompts and answers that hold a text, whatever its case; newest runs first. */
  find(query: string, top: number): Hit[];
  /** Forgets runs that ended before a time, their events, and sessions without runs; and keys older than `keys`. */
  prune(before: number, keys: number): void;
  /** Everything appended so far survives our sudden death. */
  flush(): void;
  close(): void;
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
