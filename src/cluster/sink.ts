/**
 * The store of one run that is worked on here: what it says is kept until the engine has it, and written in batches under
 * the epoch of its claim. Once somebody else has claimed the run nothing more is written.
 */

import { CoreError } from '../runs/failure.js';
import { isOver, type LogEntry, type RunRecord } from '../runs/records.js';
import type { RunStore } from '../runs/store/store.js';
import type { Due, Engine } from './engine.js';

export interface Sink extends RunStore {
  /** What the runtime said of the session goes with the next batch. */
  learned(what: { native?: string; runtime?: string }): void;
  /** Somebody else claimed the run, or ended it. */
  readonly fenced: boolean;
}

/** Entries of one step, so that a batch never holds the engine for long. */
const BATCH = 256;
/** Entries that are kept after they were written, for an engine that comes back without them. */
const RING = 2048;

/**
 * @param from the number of the last entry that is there
 * @param tell hears once that the run is not ours any more, and what is due when it is over
 */
export function sink(
  engine: Engine,
  run: { record: RunRecord; epoch: number },
  tell: { fenced(): void; due(due: Due): void },
): Sink {
  const { epoch } = run;
  let record = run.record;
  let ring: LogEntry[] = [];
  let written = record.last_seq;
  let given = record.last_seq;
  let dirty = false;
  let learned: { native?: string; runtime?: string } = {};
  let fenced = false;
  let writing: Promise<void> | null = null;

  function fence(): void {
    fenced = true;
    ring = [];
    tell.fenced();
  }
  async function step(): Promise<void> {
    const entries = ring.filter(({ seq }) => seq > written).slice(0, BATCH);
    const last = entries.at(-1)?.seq ?? written;
    // The end of the record goes with the last entry: nobody may see one without the other.
    const whole = last === given;
    const now = whole || !isOver(record.status) ? record : { ...record, status: 'running' as const };
    const said = learned;
    learned = {};
    if (whole) dirty = false;
    let answer: Awaited<ReturnType<Engine['append']>>;
    try {
      answer = await engine.append({
        run: record.run_id,
        epoch,
        entries,
        record: { ...now, last_seq: last },
        learned: said,
      });
    } catch (error) {
      learned = { ...said, ...learned };
      dirty = true;
      throw error;
    }
    switch (answer.kind) {
      case 'ok':
        written = last;
        if (ring.length > 2 * RING) ring = ring.filter(({ seq }) => seq > written - RING);
        if (answer.due) tell.due(answer.due);
        return;
      case 'fenced':
        return fence();
      case 'behind': {
        const first = ring[0]?.seq ?? given + 1;
        if (first > answer.last + 1) return fence();
        written = answer.last;
        dirty = true;
        return;
      }
      default: {
        const never: never = answer;
        throw new CoreError('store', `unknown answer ${JSON.stringify(never)}`);
      }
    }
  }
  async function write(): Promise<void> {
    // What is said in one go is written in one go: the end of a record and its last entry above all.
    await new Promise((resolve) => setImmediate(resolve));
    while (!fenced && (dirty || written < given)) await step();
  }
  return {
    get fenced() {
      return fenced;
    },
    putRun(next) {
      record = { ...next };
      dirty = true;
    },
    append(_, entry) {
      if (fenced) return;
      given = entry.seq;
      ring.push(entry);
    },
    // Readers ask the engine.
    events: () => [],
    async commit() {
      writing ??= write().finally(() => {
        writing = null;
      });
      await writing;
      if (!fenced && (dirty || written < given)) await this.commit();
    },
    learned(what) {
      learned = { ...learned, ...what };
      dirty = true;
    },
  };
}
