/** A run that this worker claimed: the run itself, and those who wait for it elsewhere as one. */

import { liveGiven } from '../runs/clock-and-ids.js';
import { continued } from '../runs/history.js';
import { perform } from '../runs/live-runs.js';
import type { Machine } from '../runs/machine.js';
import type { TurnPlan } from '../runs/plan.js';
import type { Receipt } from '../runs/records.js';
import { createRun, type Run } from '../runs/run.js';
import type { Store } from '../runs/store/store.js';
import type { Claim, Letter } from './engine.js';
import type { Sink } from './sink.js';

export interface WorkedRun {
  readonly id: string;
  readonly epoch: number;
  readonly run: Run;
  /** Does what a letter asks for. */
  perform(letter: Letter): Receipt;
  /** Ends it at once; what it says is nobody's any more. */
  abandon(): void;
}

export interface WorkedRunOptions {
  claim: Claim & { kind: 'begin' };
  plan: TurnPlan;
  store: Sink;
  past: Store;
  machine: Machine;
  canSteer(runtime: string): boolean;
}

/** Milliseconds until a store that could not be written is tried again. */
const RETRY_MS = 250;

export function workedRun({ claim, plan, store, past, machine, canSteer }: WorkedRunOptions): WorkedRun {
  const { record, turn, attending, epoch } = claim;
  const of = { run: record.run_id, session: record.session_id };
  function save(): void {
    store.commit().catch(() => {
      if (!store.fenced) setTimeout(save, RETRY_MS).unref();
    });
  }
  const run = createRun({
    record,
    plan,
    given: liveGiven(),
    store,
    native: turn.native,
    graceMs: 0,
    canSteer,
    prepare: (asked) => ({
      ...asked,
      request: continued(past, asked.request, of, turn.history, (a, b) => machine.id(a) === machine.id(b)),
    }),
    learned: store.learned,
    saved: save,
    ended() {},
  });
  // Those who wait are counted by the engine; here they are one who leaves when the last of them did.
  const others = run.attendants.attend();
  if (attending.detached) run.attendants.detach();
  else if (attending.hearing === 0) others.deaf();
  return {
    id: record.run_id,
    epoch,
    run,
    perform(letter) {
      if (letter.type !== 'deaf') return perform(run, { command: letter });
      others.deaf();
      return { ok: true, id: null, did: true };
    },
    abandon() {
      // The second call skips the waiting.
      run.cancel('shutdown');
      run.cancel('shutdown');
    },
  };
}
