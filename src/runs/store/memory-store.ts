/** Keeps everything until we end: for tests, for replays, and where nothing may be written. */

import {
  type Hit,
  type IdempotencyKey,
  isOver,
  type LogEntry,
  type RunRecord,
  type SessionRecord,
} from '../records.js';
import { hitsIn, type Store } from './store.js';

/** Characters of events kept for one run; of a longer one the oldest are forgotten, which readers are told as a gap. */
const KEPT = 64 * 1024 * 1024;
/** Runs that are over and kept. */
const RUNS = 10_000;

interface Events {
  entries: LogEntry[];
  size: number;
}

export function memoryStore(limits: { kept?: number; runs?: number } = {}): Store {
  const { kept = KEPT, runs: mostRuns = RUNS } = limits;
  const runs = new Map<string, RunRecord>();
  const sessions = new Map<string, SessionRecord>();
  const events = new Map<string, Events>();
  const keys = new Map<string, IdempotencyKey>();

  function forget(id: string): void {
    runs.delete(id);
    for (const key of events.keys()) if (key === id || key.startsWith(`${id}/`)) events.delete(key);
  }

  return {
    name: 'memory',
    putRun(run) {
      runs.set(run.run_id, { ...run });
      if (runs.size <= mostRuns) return;
      for (const [id, old] of runs) {
        if (!isOver(old.status)) continue;
        forget(id);
        if (runs.size <= mostRuns) return;
      }
    },
    run(id) {
      const run = runs.get(id);
      return run ? { ...run } : null;
    },
    runs({ limit, session, status, since }) {
      const found = [...runs.values()].filter(
        (run) =>
          (session === undefined || run.session_id === session) &&
          (status === undefined || run.status === status) &&
          (since === undefined || run.created_at >= since),
      );
      return found.reverse().slice(0, limit);
    },
    runsOf: (session) => [...runs.values()].filter((run) => run.session_id === session),
    putSession(session) {
      // Last used last, so that the order of the map is the order of use.
      sessions.delete(session.session_id);
      sessions.set(session.session_id, { ...session });
    },
    session(id) {
      const session = sessions.get(id);
      return session ? { ...session } : null;
    },
    sessions({ limit, cwd, since }) {
      const found = [...sessions.values()].filter(
        (one) => (cwd === undefined || one.cwd === cwd) && (since === undefined || one.updated_at >= since),
      );
      return found.reverse().slice(0, limit);
    },
    dropSession(id) {
      sessions.delete(id);
      for (const [run, { session_id }] of runs) if (session_id === id) forget(run);
    },
    abandoned: () => [],
    append(run, entry) {
      const log = events.get(run) ?? { entries: [], size: 0 };
      events.set(run, log);
      log.entries.push(entry);
      log.size += entry.json.length;
      if (log.size <= kept) return;
      // Half at once, so that forgetting costs little per event; the newest always stays.
      let drop = 0;
      while (log.size > kept / 2 && drop < log.entries.length - 1) {
        log.size -= log.entries[drop]?.json.length ?? 0;
        drop++;
      }
      log.entries.splice(0, drop);
    },
    events(run, after, most) {
      const entries = events.get(run)?.entries ?? [];
      const first = entries[0]?.seq ?? 1;
      const from = Math.max(0, after + 1 - first);
      return entries.slice(from, from + most);
    },
    putKey: (key, value) => void keys.set(key, value),
    key: (key) => keys.get(key) ?? null,
    find(query, top) {
      const hits: Hit[] = [];
      for (const run of [...runs.values()].reverse()) {
        hits.push(...hitsIn(run, query));
        if (hits.length >= top) break;
      }
      return hits.slice(0, top);
    },
    prune(before, oldKeys) {
      for (const [id, run] of runs) if (run.ended_at !== null && run.ended_at < before) forget(id);
      const used = new Set([...runs.values()].map((run) => run.session_id));
      for (const [id, one] of sessions) if (one.updated_at < before && !used.has(id)) sessions.delete(id);
      for (const [key, value] of keys) if (value.at < oldKeys) keys.delete(key);
    },
    flush() {},
    close() {},
  };
}
