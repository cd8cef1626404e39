/** Keeps everything until we end: for tests, for replays, and where nothing may be written. */

import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../contract/vocabulary.js';
import { entryLine } from '../entry-line.js';
import { seriesOf } from '../org/series.js';
import type { Hit, IdempotencyKey, LogEntry, Mail, Receipt, RunRecord, SessionRecord } from '../records.js';
import { hitsIn, type OrgLine, type Store, within } from './store.js';

/** Characters of events kept for one run; of a longer one the oldest are forgotten, which readers are told as a gap. */
const KEPT = 64 * 1024 * 1024;
/** Runs that are over and kept. */
const RUNS = 10_000;
/** Receipts of commands that are kept. */
const RECEIPTS = 10_000;

interface Events {
  entries: LogEntry[];
  size: number;
}

const inSeries = (run: RunRecord, { project, org }: { project: string; org?: string }): boolean => {
  const own = seriesOf(run);
  return own !== null && own.project === project && (org === undefined || own.org === org);
};

export function memoryStore(limits: { kept?: number; runs?: number } = {}): Store {
  const { kept = KEPT, runs: mostRuns = RUNS } = limits;
  const runs = new Map<string, RunRecord>();
  const sessions = new Map<string, SessionRecord>();
  const events = new Map<string, Events>();
  const notes = new Map<string, Map<string, JsonObject[]>>();
  const lines: (OrgLine & { place: number })[] = [];
  const keys = new Map<string, IdempotencyKey>();
  const posted = new Map<string, Mail>();
  const receipts = new Map<string, Receipt>();
  /** Positions of the last change of each run; the order of the map is that of the changes. */
  const changed = new Map<string, number>();
  let position = 0;
  let place = 0;

  function forget(id: string): void {
    for (const map of [runs, events, notes, changed]) map.delete(id);
    for (let at = lines.length - 1; at >= 0; at--) if (lines[at]?.run_id === id) lines.splice(at, 1);
  }
  function drop(session: string): void {
    sessions.delete(session);
    for (const [id, { session_id }] of runs) if (session_id === session) forget(id);
  }
  /** The longest unused session that may be forgotten; a fork begins with what was said in its parent. */
  function unused(before: number, but?: string): string | null {
    const parents = new Set([...sessions.values()].map(({ parent }) => parent));
    const busy = new Set([but]);
    for (const { session_id, ended_at } of runs.values())
      if (ended_at === null || ended_at >= before) busy.add(session_id);
    for (const { session_id, updated_at } of sessions.values())
      if (updated_at < before && !busy.has(session_id) && !parents.has(session_id)) return session_id;
    return null;
  }
  const mine = (one: { principal: string }, principal: string | undefined) =>
    principal === undefined || one.principal === principal;

  return {
    name: 'memory',
    id: randomUUID().replaceAll('-', ''),
    shared: false,
    degraded: () => null,
    putRun(run) {
      runs.set(run.run_id, { ...run });
      position += 1;
      changed.delete(run.run_id);
      changed.set(run.run_id, position);
      while (runs.size > mostRuns) {
        const id = unused(Number.POSITIVE_INFINITY, run.session_id);
        if (id === null) return;
        drop(id);
      }
    },
    run(id) {
      const run = runs.get(id);
      return run ? { ...run } : null;
    },
    runs({ limit, session, status, since, principal, series }) {
      const found = [...runs.values()].filter(
        (run) =>
          (session === undefined || run.session_id === session) &&
          (status === undefined || run.status === status) &&
          (since === undefined || run.created_at >= since) &&
          (series === undefined || inSeries(run, series)) &&
          mine(run, principal),
      );
      return found.reverse().slice(0, limit);
    },
    runsOf: (session) => [...runs.values()].filter((run) => run.session_id === session),
    changes(after, limit) {
      const found = [...changed].flatMap(([id, at]) => {
        const run = at > after ? runs.get(id) : undefined;
        return run ? [{ position: at, run: { ...run } }] : [];
      });
      return found.slice(0, limit);
    },
    lastChange: () => position,
    putSession(session) {
      // Last used last, so that the order of the map is the order of use.
      sessions.delete(session.session_id);
      sessions.set(session.session_id, { ...session });
    },
    session(id) {
      const session = sessions.get(id);
      return session ? { ...session } : null;
    },
    sessions({ limit, cwd, since, principal }) {
      const found = [...sessions.values()].filter(
        (one) =>
          (cwd === undefined || one.cwd === cwd) &&
          (since === undefined || one.updated_at >= since) &&
          mine(one, principal),
      );
      return found.reverse().slice(0, limit);
    },
    dropSession: drop,
    abandoned: () => [],
    append(run, entry) {
      const log = events.get(run) ?? { entries: [], size: 0 };
      events.set(run, log);
      log.entries.push(entry);
      log.size += entryLine(entry.event).length;
      if (log.size <= kept) return;
      // Half at once, so that forgetting costs little per event; the newest always stays.
      let drop = 0;
      while (log.size > kept / 2 && drop < log.entries.length - 1) {
        const old = log.entries[drop];
        if (old) log.size -= entryLine(old.event).length;
        drop++;
      }
      log.entries.splice(0, drop);
    },
    events(run, after, most) {
      const entries = events.get(run)?.entries ?? [];
      const from = Math.max(0, after + 1 - (entries[0]?.seq ?? 1));
      return within(entries.slice(from, from + most.entries), most);
    },
    lastSeq: (run) => events.get(run)?.entries.at(-1)?.seq ?? 0,
    putNote(run, name, note) {
      const all = notes.get(run) ?? new Map<string, JsonObject[]>();
      notes.set(run, all);
      all.set(name, [...(all.get(name) ?? []), note]);
    },
    notes: (run, name) => [...(notes.get(run)?.get(name) ?? [])],
    putLine(line) {
      if (lines.some(({ id }) => id === line.id)) return;
      place += 1;
      lines.push({ ...line, place });
    },
    lines({ project, org, run, since = 0, limit }, after) {
      const found = lines.filter(
        (one) =>
          one.place > after &&
          one.project === project &&
          one.org === org &&
          (run === undefined || one.run === run) &&
          one.at >= since,
      );
      return found.slice(0, limit).map(({ place: at, json }) => ({ place: at, json }));
    },
    placeOf({ project, org }, id) {
      const found = lines.find((one) => one.id === id && one.project === project && one.org === org);
      return found ? { place: found.place, run: found.run } : null;
    },
    lastLine(run) {
      const own = lines.filter((one) => one.run === run);
      return { count: own.length, at: own.at(-1)?.at ?? 0 };
    },
    putKey: (key, value) => void keys.set(key, value),
    putKeyed(name, key, instead, run) {
      if ((keys.get(name)?.run_id ?? null) !== instead) return false;
      keys.set(name, key);
      this.putRun(run);
      return true;
    },
    key: (key) => keys.get(key) ?? null,
    post(mail) {
      if (!posted.has(mail.id) && !receipts.has(mail.id)) posted.set(mail.id, mail);
    },
    mail: (of) => [...posted.values()].filter(({ run_id }) => of.includes(run_id)),
    putReceipt(mail, receipt) {
      posted.delete(mail);
      receipts.set(mail, receipt);
      const [oldest] = receipts.keys();
      if (receipts.size > RECEIPTS && oldest !== undefined) receipts.delete(oldest);
    },
    receipt: (mail) => receipts.get(mail) ?? null,
    find(query, top, principal) {
      const hits: Hit[] = [];
      for (const run of [...runs.values()].reverse()) {
        if (mine(run, principal)) hits.push(...hitsIn(run, query));
        if (hits.length >= top) break;
      }
      return hits.slice(0, top);
    },
    async sweep({ now, keepMs, keysMs }) {
      for (const [key, value] of keys) if (value.at < now - keysMs) keys.delete(key);
      if (keepMs === null) return 0;
      let count = 0;
      for (let id = unused(now - keepMs); id !== null; id = unused(now - keepMs)) {
        drop(id);
        count += 1;
      }
      return count;
    },
    commit: () => Promise.resolve(),
    takeBack({ run, session, key }) {
      forget(run);
      if (session !== undefined) sessions.delete(session);
      if (key !== undefined) keys.delete(key);
    },
    close() {},
  };
}
