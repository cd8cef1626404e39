/** The machine that turns run on: how one is started here, and the programs that are kept between turns. */

import { homedir } from 'node:os';
import type { Places } from '../discovery/places.js';
import { byId } from '../registry/registry.js';
import type { Runner } from '../runner/runner.js';
import { type PoolOptions, warmPool } from '../session/pool.js';
import { beginTurn } from '../workspace/begin.js';
import type { StartTurn } from './plan.js';
import type { SessionRecord } from './records.js';
import { type WatchTurn, watched } from './watch-turn.js';

export interface MachineOptions {
  runners: readonly Runner[];
  /** The environment that runtimes start from. Our own token must not be in it. */
  ambient: NodeJS.ProcessEnv;
  /** The folder of requests that name none. */
  cwd: string;
  turnout: readonly string[];
  version: string;
  /** Looks on while turns run. */
  watch?: WatchTurn | undefined;
  /** How programs are kept between the turns of a session; false ends each with its turn. */
  warm?: PoolOptions | false;
  /** Another way to run a turn, for tests. */
  start?: StartTurn;
}

export interface Machine {
  start: StartTurn;
  /** The id of a runtime that may be named by an alias; other names stay as they are. */
  id(runtime: string): string;
  places(cwd?: string): Places;
  /** A session is closed: its program ends now, and the session can be continued all the same. */
  letGo(session: Pick<SessionRecord, 'runtime' | 'native_id'>): Promise<void>;
  /** Ends the programs that are kept. */
  close(): Promise<void>;
}

export function machine(options: MachineOptions): Machine {
  const { runners, ambient, turnout, version, cwd } = options;
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
      background: true,
      ...(pool ? { keeper: plan.goesOn || plan.request.resume !== null ? pool : { ...pool, keep: () => false } } : {}),
      ...(tap ? { tap } : {}),
    });
  const id = (runtime: string): string => byId(runtime, runners)?.id ?? runtime;
  return {
    start: watched(options.start ?? start, options.watch),
    id,
    places: (folder = cwd) => ({ env: ambient, home: homedir(), platform: process.platform, cwd: folder, turnout }),
    async letGo({ runtime, native_id }) {
      if (native_id !== null) await pool?.drop(id(runtime), native_id);
    },
    close: async () => pool?.close(),
  };
}
