/** Runs turns: takes what is due from the queues it can serve, claims it, and writes what it says under that claim. */

import type { Runner } from '../runner/runner.js';
import { checkCredentialOwner } from '../runs/credential-owner.js';
import { dispatch } from '../runs/dispatch.js';
import { CoreError } from '../runs/failure.js';
import { liveRuns } from '../runs/live-runs.js';
import type { Machine } from '../runs/machine.js';
import type { TurnPlan } from '../runs/plan.js';
import type { Load } from '../runs/ports.js';
import { memoryStore } from '../runs/store/memory-store.js';
import type { Claim, Due, Engine } from './engine.js';
import { endLost } from './lost.js';
import { openMailbox } from './mailbox.js';
import { past } from './past.js';
import { serves } from './placement.js';
import type { Presence } from './presence.js';
import type { Taken, TurnQueues } from './queue.js';
import { sink } from './sink.js';
import { type WorkedRun, workedRun } from './worked-run.js';

export interface WorkerOptions {
  engine: Engine;
  queues: TurnQueues;
  presence: Presence;
  machine: Machine;
  runners: readonly Runner[];
  /** Turns at once. */
  places: number;
  canSteer(runtime: string): boolean;
  /** Nothing more is to be taken. */
  stopped(): boolean;
  complain(text: string): void;
}

export interface Workers {
  /** What is worked on here. */
  get(id: string): WorkedRun | null;
  /** Resolves when nothing of a run is left here. */
  gone(id: string): Promise<void>;
  load(): Promise<Load>;
  /** Places that are taken, and runs that gave theirs back for a while. */
  counts(): { running: number; waiting: number };
  cancelAll(cause: 'user' | 'shutdown'): void;
  /** Takes nothing more. Resolves when nothing runs here. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds between two looks for what is due, should a hint be lost. */
const LOOK_MS = 1000;
const RETRY_MS = 250;

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export async function openWorker(options: WorkerOptions): Promise<Workers> {
  const { engine, queues, presence, machine, complain } = options;
  const worked = new Map<string, WorkedRun>();
  const taken = new Map<string, Taken>();
  const live = liveRuns(memoryStore());
  const order = dispatch({ places: options.places, queue: options.places, freed: () => void look() });
  let looking = false;
  let again = false;
  let draining = false;
  let shut = false;
  let closed = false;
  let idle: (() => void)[] = [];

  function due(next: Due): void {
    // What can't be added now is added by the sweeper.
    queues.add(next).catch((error: unknown) => complain(reason(error)));
  }
  async function leave(run: WorkedRun): Promise<void> {
    await run.run.log.durable().catch(() => {});
    await taken.get(run.id)?.done();
    taken.delete(run.id);
    worked.delete(run.id);
    live.remove(run.id);
    presence.changed();
    if (worked.size > 0) return;
    for (const resolve of idle) resolve();
    idle = [];
  }
  /** A guest's turn must not use the login of whoever owns this machine. */
  async function allowed(claim: Claim & { kind: 'begin' }): Promise<TurnPlan> {
    const { plan, caller } = claim.turn;
    if (caller.principal.kind !== 'guest') return plan;
    try {
      await checkCredentialOwner({ plan }, { runners: options.runners, places: machine.places });
      return plan;
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      return { ...plan, refuse: { code: 'unsafe', message: error.message } };
    }
  }
  async function begin(claim: Claim & { kind: 'begin' }, job: Taken): Promise<void> {
    const { record, turn } = claim;
    const { session_id: session, run_id: id } = record;
    const plan = await allowed(claim);
    const before = await past(engine, session);
    const store = sink(engine, claim, {
      fenced() {
        complain(`run ${id} was claimed by another worker: it ends here`);
        worked.get(id)?.abandon();
      },
      due,
    });
    const run = workedRun({ claim, plan, store, past: before, machine, canSteer: options.canSteer });
    worked.set(id, run);
    taken.set(id, job);
    live.add(run.run);
    if (shut) run.run.cancel('shutdown');
    for (const { mail, command } of claim.kept) {
      const receipt = run.perform(command);
      if (!receipt.ok) await engine.putReceipt(id, mail, receipt);
    }
    void run.run.over.then(() => {
      if (order.drop(id)) void leave(run);
    });
    order.take({ run_id: id, session_id: session, caller: turn.caller }, { whenBusy: 'queue', whenFull: 'queue' });
    order.ready(id);
    presence.changed();
  }
  order.serve(async ({ run_id }, place, begun) => {
    const run = worked.get(run_id);
    if (!run) return;
    await run.run.begin(machine.start, place, begun);
    await leave(run);
  });

  async function take(job: Taken): Promise<void> {
    if (draining || options.stopped()) return job.back();
    const claim = await engine.claim(job.run, presence.name);
    switch (claim.kind) {
      case 'begin':
        return begin(claim, job);
      case 'lost': {
        const next = await endLost(engine, claim);
        if (next) due(next);
        return job.done();
      }
      case 'over':
      case 'unknown':
        return job.done();
      default: {
        const never: never = claim;
        throw new CoreError('store', `unknown claim ${JSON.stringify(never)}`);
      }
    }
  }
  async function look(): Promise<void> {
    again = true;
    if (looking || closed) return;
    looking = true;
    try {
      while (again) {
        again = false;
        const names = (await engine.queues()).filter((name) => serves(name, presence.member()));
        while (!draining && !closed && !options.stopped() && order.room() > 0 && presence.roomy()) {
          const job = await queues.next(names);
          if (!job) break;
          await take(job);
        }
      }
    } catch (error) {
      if (!closed) {
        complain(reason(error));
        setTimeout(() => void look(), RETRY_MS).unref();
      }
    } finally {
      looking = false;
    }
  }
  const off = await engine.listen('due', () => void look());
  const timer = setInterval(() => void look(), LOOK_MS);
  timer.unref();
  const mailbox = await openMailbox(engine, presence.member().id, (id) => worked.get(id) ?? null, complain);
  void look();
  function counts() {
    const running = Math.min(options.places - order.room(), worked.size);
    return { running, waiting: worked.size - running };
  }
  function cancelAll(cause: 'user' | 'shutdown'): void {
    if (cause === 'shutdown') shut = true;
    for (const { run } of worked.values()) run.cancel(cause);
  }
  presence.onLost(() => {
    complain('the store of the cluster was away for too long: all runs here are given up');
    for (const run of worked.values()) run.abandon();
  });

  return {
    get: (id) => worked.get(id) ?? null,
    gone: (id) => live.gone(id),
    load: order.load,
    counts,
    cancelAll,
    async drain() {
      draining = true;
      presence.changed();
      if (worked.size > 0) await new Promise<void>((resolve) => idle.push(resolve));
    },
    async close() {
      closed = true;
      draining = true;
      clearInterval(timer);
      off();
      mailbox.close();
    },
  };
}
