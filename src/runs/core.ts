/** What all surfaces stand on: the ports of runs, logs and sessions over one store, and the machine they work on. */

import { availableParallelism } from 'node:os';
import type { BrokenRunner } from '../contract/scan.js';
import type { Places } from '../discovery/places.js';
import { byId } from '../registry/registry.js';
import type { Runner } from '../runner/runner.js';
import { checkCredentialOwner } from './credential-owner.js';
import { dispatch } from './dispatch.js';
import { follow } from './follow.js';
import { keyLimits } from './key-limits.js';
import { liveRuns } from './live-runs.js';
import { type MachineOptions, machine } from './machine.js';
import type { Dispatch, Lifetime, RunLog, Runs, Sessions } from './ports.js';
import { isOver, type SessionRecord } from './records.js';
import { logSource, runLog } from './run-log.js';
import { runs } from './runs.js';
import { sessions } from './sessions.js';
import type { Store } from './store/store.js';
import { sessionNews } from './watch.js';

export interface CoreOptions extends MachineOptions {
  store: Store;
  /** Runners that were left out. */
  broken?: readonly BrokenRunner[];
  /** Turns at once; by the number of cores when absent. */
  concurrency?: number | undefined;
  queue?: number;
  /** How long a run with an idempotency key goes on when nobody waits for it any more, milliseconds. */
  graceMs?: number;
}

export interface Core extends Lifetime {
  runs: Runs;
  log: RunLog;
  sessions: Sessions;
  dispatch: Pick<Dispatch, 'load'>;
  runners: readonly Runner[];
  broken: readonly BrokenRunner[];
  ambient: NodeJS.ProcessEnv;
  cwd: string;
  version: string;
  /** What tells the store from every other. */
  storeId: string;
  places(cwd?: string): Places;
  /** Why nothing can be promised: the store does not do its work. null: it does. */
  degraded(): string | null;
  /** A session is closed: its program ends now, and the session can be continued all the same. */
  letGo(session: Pick<SessionRecord, 'runtime' | 'native_id'>): Promise<void>;
}

/** Turns mostly wait for their model: several on each core. */
export const concurrencyOf = (cores: number): number => Math.min(Math.max(5 * cores, 10), 64);
const QUEUE = 1000;
export const GRACE_MS = 60_000;

export function createCore(options: CoreOptions): Core {
  const { store, runners, ambient, version, cwd } = options;
  const on = machine(options);
  const { id, places, letGo } = on;
  const live = liveRuns(store);
  const order = dispatch({
    places: options.concurrency ?? concurrencyOf(availableParallelism()),
    queue: options.queue ?? QUEUE,
    starts: availableParallelism(),
    ...(store.shared
      ? { elsewhere: (id) => store.runsOf(id).some((run) => !isOver(run.status) && live.get(run.run_id) === null) }
      : {}),
  });
  const all = runs({
    store,
    live,
    dispatch: order,
    start: on.start,
    graceMs: options.graceMs ?? GRACE_MS,
    canSteer: (runtime) => byId(runtime, runners)?.steer === true,
    sameRuntime: (a, b) => id(a) === id(b),
  });
  const limited = keyLimits(all);
  return {
    runners,
    broken: options.broken ?? [],
    ambient,
    cwd,
    version,
    storeId: store.id,
    dispatch: order,
    log: runLog(store, live),
    sessions: sessions(
      store,
      (session, how, caller) =>
        sessionNews(store, live, (run, from) => follow(logSource(store, live, run), from), session, how, caller),
      letGo,
    ),
    runs: {
      ...all,
      async start(submission) {
        if (submission.caller.principal.kind === 'guest') await checkCredentialOwner(submission, { runners, places });
        return limited.start(submission);
      },
    },
    cancelAll(cause) {
      for (const run of live.all()) run.cancel(cause);
    },
    async drain() {
      await order.drain();
      await Promise.all(live.all().map(({ id: run }) => live.gone(run)));
      await on.close();
    },
    letGo,
    degraded: () => store.degraded(),
    places,
  };
}
