/**
 * Places in a session: its events are counted over all of its runs, in the order in which they run. The numbers follow
 * from the committed log alone, so that they hold after a restart and are the same for every client.
 */

import type { Core } from '../../runs/core.js';
import type { Caller } from '../../runs/ports.js';
import type { RunRecord } from '../../runs/records.js';
import type { EventParams } from './rpc.js';
import { REVISION, type Step, type Translator, translator } from './translate.js';
import { after, NOTHING, type Spent } from './usage.js';

/** Changes when numbers of before mean nothing any more. */
export const epochOf = (core: Core): string => `${core.storeId}-${REVISION}`;

/** Runs whose count is kept at hand. */
const MOST_COUNTS = 20_000;
/** UTF-16 units of events that are told again at once; of more, the latest. */
const MOST_AGAIN = 16 * 1024 * 1024;

/** How far a session is. */
export interface Position {
  /** The number of the last event. */
  seq: number;
  /** Where to go on reading; absent when there was no run. */
  cursor?: string;
  /** Events up to this number come before the cursor's run. */
  base: number;
  /** How many steps of the cursor's run were taken. */
  known: number;
  /** By the turns before the cursor's run. */
  spent: Spent;
  /** The run that is under way. */
  live: { run: RunRecord; said: string; begun: boolean } | null;
}

export interface Again {
  events: EventParams[];
  latest: number;
  truncated: boolean;
}

export interface Ledger {
  position(session: string, caller: Caller): Promise<Position>;
  /** Everything behind a number. */
  since(session: string, after: number, caller: Caller): Promise<Again>;
}

export const aboutRun = (run: RunRecord, spent: Spent): Translator =>
  translator({ run_id: run.run_id, prompt: run.prompt, cwd: run.cwd, model: run.model, spent });

export function ledger(core: Core): Ledger {
  const counts = new Map<string, number>();

  async function steps(run: RunRecord, spent: Spent, caller: Caller, hear: (step: Step) => void): Promise<Translator> {
    const translate = aboutRun(run, spent);
    for await (const one of core.log.follow(run.run_id, { after: 0, follow: false }, caller))
      if ('entry' in one) translate.hear(one.entry.event).forEach(hear);
    return translate;
  }
  function keep(run: string, count: number): void {
    counts.set(run, count);
    const [oldest] = counts.keys();
    if (counts.size > MOST_COUNTS && oldest !== undefined) counts.delete(oldest);
  }
  /** Those of its own, in the order in which they run. */
  async function own(session: string, caller: Caller): Promise<RunRecord[]> {
    const all = await core.sessions.runs(session, caller, true);
    return all.filter(({ session_id }) => session_id === session);
  }

  return {
    async position(session, caller) {
      let [seq, spent] = [0, NOTHING];
      let cursor: string | undefined;
      for (const run of await own(session, caller)) {
        const base = seq;
        const known = counts.get(run.run_id);
        if (known === undefined) {
          let taken = 0;
          const { said, over } = await steps(run, spent, caller, (step) => {
            if (step.do === 'tell') seq += 1;
            taken += 1;
          });
          // Its record may say so before its last event is durable.
          if (!over) {
            const live = { run, said, begun: taken > 0 };
            return { seq, base, known: taken, spent, cursor: `${run.run_id}:0`, live };
          }
          keep(run.run_id, seq - base);
        } else seq += known;
        spent = after(spent, run);
        cursor = `${run.run_id}:${run.last_seq}`;
      }
      return { seq, base: seq, known: 0, spent, live: null, ...(cursor === undefined ? {} : { cursor }) };
    },
    async since(session, from, caller) {
      let [seq, spent, size, truncated] = [0, NOTHING, 0, false];
      const events: { params: EventParams; size: number }[] = [];
      for (const run of await own(session, caller)) {
        const known = counts.get(run.run_id);
        if (known !== undefined && seq + known <= from) {
          seq += known;
          spent = after(spent, run);
          continue;
        }
        const before = seq;
        const { over } = await steps(run, spent, caller, (step) => {
          if (step.do !== 'tell') return;
          seq += 1;
          if (seq <= from) return;
          const { type, payload } = step.event;
          const length = JSON.stringify(step.event).length;
          events.push({ params: { type, session_id: session, seq, ...(payload ? { payload } : {}) }, size: length });
          size += length;
        });
        while (size > MOST_AGAIN && events.length > 1) {
          size -= events.shift()?.size ?? 0;
          truncated = true;
        }
        if (!over) break;
        keep(run.run_id, seq - before);
        spent = after(spent, run);
      }
      return { events: events.map(({ params }) => params), latest: seq, truncated: truncated || from > seq };
    },
  };
}
