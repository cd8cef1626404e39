/** What all surfaces stand on: the ports of runs, logs and sessions over one store, and the machine they work on. */

import { availableParallelism, homedir } from 'node:os';
import type { BrokenRunner } from '../contract/scan.js';
import type { Places } from '../discovery/places.js';
import { byId } from '../registry/registry.js';
import type { Runner } from '../runner/runner.js';
import { type PoolOptions, warmPool } from '../session/pool.js';
import { beginTurn } from '../workspace/begin.js';
import { checkCredentialOwner } from './credential-owner.js';
import { dispatch } from './dispatch.js';
import { follow } from './follow.js';
import { liveRuns } from './live-runs.js';
import type { StartTurn } from './plan.js';
import type { Dispatch, Lifetime, RunLog, Runs, Sessions } from './ports.js';
import { isOver, type SessionRecord } from './records.js';
import { logSource, runLog } from './run-log.js';
import { runs } from './runs.js';
import { sessions } from './sessions.js';
import type { Store } from './store/store.js';
import { sessionNews } from './watch.js';
import { type WatchTurn, watched } from './watch-turn.js';

export interface CoreOptions {
  store: Store;
  runners: readonly Runner[];
  /** Runners that were left out. */
  broken?: readonly BrokenRunner[];
  /** The environment that runtimes start from. Our own token must not be in it. */
  ambient: NodeJS.ProcessEnv;
  /** The folder of requests that name none. */
  cwd: string;
  turnout: readonly string[];
  version: string;
  /** Turns at once; by the number of cores when absent. */
  concurrency?: number;
  queue?: number;
  /** Looks on while turns run. */
  watch?: WatchTurn | undefined;
  /** How long a run with an idempotency key goes on when nobody waits for it any more, milliseconds. */
  graceMs?: number;
  /** How programs are kept between the turns of a session; false ends each with its turn. */
  warm?: PoolOptions | false;
  /** Another way to run a turn, for tests. */
  start?: StartTurn;
}

export interface Core extends Lifetime {
  runs: Runs;
  log: RunLog;
  sessions: Sessions;
  dispatch: Dispatch;
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
const concurrencyOf = (cores: number): number => Math.min(Math.max(5 * cores, 10), 64);
const QUEUE = 1000;
const GRACE_MS = 60_000;

export function createCore(options: CoreOptions): Core {
  const { store, runners, ambient, turnout, version, cwd } = options;
  const pool = options.warm === false ? null : warmPool(options.warm);
  const start: StartTurn = (plan, emit, session, tap) =>
    beginTurn({
      request: plan.request,
      limits: plan.limits,
      env: plan.env,
      allowRoot: plan.allowRoot,
      ...(plan.refuse ? { refuse: plan.refuse } : {}),
      ambient: plan.depth === undefined ? ambient : { ...ambient, TURNOUT_DEPTH: String(plan.depth) },
      turnout,
      version,
      runners,
      session,
      emit,
      ...(pool ? { keeper: plan.goesOn || plan.request.resume !== null ? pool : { ...pool, keep: () => false } } : {}),
      ...(tap ? { tap } : {}),
    });
  const live = liveRuns(store);
  const order = dispatch({
    places: options.concurrency ?? concurrencyOf(availableParallelism()),
    queue: options.queue ?? QUEUE,
    ...(store.shared
      ? { elsewhere: (id) => store.runsOf(id).some((run) => !isOver(run.status) && live.get(run.run_id) === null) }
      : {}),
  });
  const places = (folder = cwd): Places => ({
    env: ambient,
    home: homedir(),
    platform: process.platform,
    cwd: folder,
    turnout,
  });
  const id = (runtime: string): string => byId(runtime, runners)?.id ?? runtime;
  const letGo: Core['letGo'] = async ({ runtime, native_id }) => {
    if (native_id !== null) await pool?.drop(id(runtime), native_id);
  };
  const all = runs({
    store,
    live,
    dispatch: order,
    start: watched(options.start ?? start, options.watch),
    graceMs: options.graceMs ?? GRACE_MS,
    canSteer: (runtime) => byId(runtime, runners)?.steer === true,
    sameRuntime: (a, b) => id(a) === id(b),
  });
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
        return all.start(submission);
      },
    },
    cancelAll(cause) {
      for (const run of live.all()) run.cancel(cause);
    },
    async drain() {
      await order.drain();
      await Promise.all(live.all().map(({ id: run }) => live.gone(run)));
      await pool?.close();
    },
    letGo,
    degraded: () => store.degraded(),
    places,
  };
}
