/** What all surfaces stand on: runs, sessions, the store, and the machine they work on. */

import { homedir } from 'node:os';
import type { BrokenRunner } from '../contract/scan.js';
import type { Places } from '../discovery/places.js';
import { execTurn } from '../exec/exec-turn.js';
import { byId } from '../registry/registry.js';
import type { Runner } from '../runner/runner.js';
import type { StartTurn } from './plan.js';
import { type Runs, runs } from './runs.js';
import { type Sessions, sessions } from './sessions.js';
import type { Store } from './store/store.js';
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
  concurrency?: number;
  queue?: number;
  /** Looks on while turns run. */
  watch?: WatchTurn | undefined;
  /** Another way to run a turn, for tests. */
  start?: StartTurn;
}

export interface Core {
  runs: Runs;
  sessions: Sessions;
  store: Store;
  runners: readonly Runner[];
  broken: readonly BrokenRunner[];
  ambient: NodeJS.ProcessEnv;
  cwd: string;
  version: string;
  places(cwd?: string): Places;
}

export const CONCURRENCY = 10;
export const QUEUE = 1000;
const DAY = 24 * 60 * 60 * 1000;
/** How long runs and sessions are kept after their last use, and idempotency keys. */
export const RETENTION = { runs: 30 * DAY, keys: DAY };

export function createCore(options: CoreOptions): Core {
  const { store, runners, ambient, turnout, version, cwd } = options;
  const all = sessions(store);
  const start: StartTurn = (plan, emit, session, tap) =>
    execTurn({
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
      ...(tap ? { tap } : {}),
    });
  return {
    store,
    runners,
    broken: options.broken ?? [],
    ambient,
    cwd,
    version,
    sessions: all,
    runs: runs({
      store,
      sessions: all,
      start: watched(options.start ?? start, options.watch),
      concurrency: options.concurrency ?? CONCURRENCY,
      queue: options.queue ?? QUEUE,
      canSteer: (id) => byId(id, runners)?.steer === true,
    }),
    places: (folder = cwd) => ({ env: ambient, home: homedir(), platform: process.platform, cwd: folder, turnout }),
  };
}
