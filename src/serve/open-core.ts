/** Where a server keeps its runs: in a file or in memory, alone, or in a cluster with others. */

import { join, resolve } from 'node:path';
import { stateDir } from '../process/state-dir.js';
import { type Core, type CoreOptions, createCore } from '../runs/core.js';
import { recover } from '../runs/recover.js';
import { KEEPING, retention } from '../runs/retention.js';
import { memoryStore } from '../runs/store/memory-store.js';
import type { Store } from '../runs/store/store.js';
import { shownAddress } from './listen/address.js';
import { addressOf } from './listeners.js';
import type { Observers } from './observe/observers.js';
import { ServeError } from './serve-error.js';
import type { ServeOptions } from './server.js';

/** What a core is made of, wherever its runs are kept. */
type Around = Omit<CoreOptions, 'store'>;

/** A cluster that this process belongs to. */
export interface Cluster {
  role: 'all' | 'front' | 'worker';
  /** What the others call this process. */
  name: string;
  /**
   * @param complain hears what is wrong with the engine
   * @throws {Error} with what to do about it
   */
  open(around: Around, complain: (text: string) => void): Promise<Core & { close(): Promise<void> }>;
}

export interface OpenedCore {
  core: Core;
  /** @returns how many runs an earlier process left behind */
  recover(): Promise<number>;
  /** Begins to forget old sessions. @returns ends it */
  forget(): () => void;
  close(): Promise<void>;
}

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Where runs are kept unless --store says otherwise. */
export const defaultStore = (env: NodeJS.ProcessEnv): string => join(stateDir(env), 'server.db');

/** How we can be reached, for whoever finds the store taken. */
function reach(options: ServeOptions): string {
  if (options.transport === 'http') {
    const at = addressOf(options);
    // Which port it will be is not known yet.
    return at.port === 0 ? `http ${at.host}, a free port` : `http ${shownAddress(at)}`;
  }
  return options.transport === 'unix' ? `unix ${options.listen ?? options.socket ?? ''}` : 'stdio';
}

async function openStore(options: ServeOptions, complain: (text: string) => void): Promise<Store> {
  if (options.store === 'memory' || options.replay !== undefined) return memoryStore();
  const { openSqlite } = await import('../runs/store/sqlite-store.js');
  const path = options.store === undefined ? defaultStore(options.env) : resolve(options.store);
  try {
    return await openSqlite({ path, what: reach(options), complain });
  } catch (error) {
    const missing = error instanceof Error && 'kind' in error && error.kind === 'missing-library';
    if (!missing || options.store !== undefined)
      throw new ServeError(`${message(error)}; --store PATH|memory names another one`);
    options.log.warn(`${message(error)}: runs are kept in memory only`);
    return memoryStore();
  }
}

/** @throws {ServeError} */
export async function openCore(options: ServeOptions, { metrics }: Observers, around: Around): Promise<OpenedCore> {
  const { cluster, log } = options;
  const complain = (text: string) => {
    metrics?.storeFailed();
    log.error(text);
  };
  if (cluster) {
    try {
      const core = await cluster.open(around, (text) => log.warn(text));
      // A cluster mends and forgets by itself.
      return { core, recover: async () => 0, forget: () => () => {}, close: core.close };
    } catch (error) {
      throw new ServeError(message(error));
    }
  }
  const store = await openStore(options, complain);
  return {
    core: createCore({ store, ...around }),
    recover: () => recover(store, Date.now()),
    forget: () => retention(store, (text) => log.warn(text), options.keeping ?? KEEPING),
    close: async () => store.close(),
  };
}
