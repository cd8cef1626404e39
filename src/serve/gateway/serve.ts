/** `turnout gateway`: store, core and one client on stdio, from start to a clean end. */

import { join, resolve } from 'node:path';
import type { AccessMode, SettingsSource } from '../../contract/vocabulary.js';
import type { Log } from '../../output/log.js';
import { stateDir } from '../../process/state-dir.js';
import type { Runner } from '../../runner/runner.js';
import { createCore } from '../../runs/core.js';
import { outliveFaults, signalled } from '../../runs/lifetime.js';
import { recover } from '../../runs/recover.js';
import { retention } from '../../runs/retention.js';
import { ownerAt } from '../../runs/sight.js';
import { memoryStore } from '../../runs/store/memory-store.js';
import type { Store } from '../../runs/store/store.js';
import { serveStdio } from '../listen/stdio.js';
import { gateway } from './gateway.js';
import { peer } from './peer.js';

export interface GatewayServeOptions {
  runtime: string;
  access: AccessMode;
  settings: readonly SettingsSource[];
  allowRoot: boolean;
  /** The folder of sessions that name none. */
  cwd: string;
  /** A path, or `memory`; in the state folder when absent. */
  store?: string;
  runners: readonly Runner[];
  env: NodeJS.ProcessEnv;
  turnout: readonly string[];
  version: string;
  log: Log;
}

/** When what still runs is killed once the client is gone, milliseconds. */
const KILL_MS = 250;

/** Where sessions are kept unless --store says otherwise. Not the server's file: that one is held by one process alone. */
const gatewayStore = (env: NodeJS.ProcessEnv): string => join(stateDir(env), 'gateway.db');

/** Shared: every client starts a process of its own. @throws StoreError */
async function openStore(options: GatewayServeOptions): Promise<Store> {
  if (options.store === 'memory') return memoryStore();
  const { openSqlite } = await import('../../runs/store/sqlite-store.js');
  const path = options.store === undefined ? gatewayStore(options.env) : resolve(options.store);
  try {
    return await openSqlite({ path, what: 'gateway', shared: true, complain: (text) => options.log.error(text) });
  } catch (error) {
    const missing = error instanceof Error && 'kind' in error && error.kind === 'missing-library';
    if (!missing || options.store !== undefined) throw error;
    options.log.warn(`${error.message}: sessions are kept in memory only`);
    return memoryStore();
  }
}

/** Answers until its input ends, nobody reads, or a signal. @returns the exit code @throws StoreError */
export async function serveGateway(options: GatewayServeOptions): Promise<number> {
  const { runtime, access, settings, allowRoot, cwd, runners, turnout, version, log } = options;
  const { TURNOUT_TOKEN: _ours, ...ambient } = options.env;
  const store = await openStore(options);
  const core = createCore({ store, runners, ambient, cwd, turnout, version });
  let forgetting = () => {};
  outliveFaults((text) => log.error(text));
  try {
    const lost = await recover(store, Date.now());
    if (lost > 0) log.warn(`${lost} ${lost === 1 ? 'turn' : 'turns'} of an earlier process were interrupted`);
    forgetting = retention(store, (text) => log.warn(text));
    const complain = (text: string) => log.error(text);
    const shared = gateway(core, { runtime, access, settings, allowRoot, complain });
    if (process.stdin.isTTY) log.info('speaks JSON-RPC on stdin and stdout; clients start it (docs/gateway.md)');
    await serveStdio({
      session: (out) => peer({ gateway: shared, caller: ownerAt('gateway'), out, heartbeat: false }),
      input: process.stdin,
      output: process.stdout,
      stopped: signalled(),
    });
    const drained = core.drain();
    core.cancelAll('shutdown');
    const harder = setTimeout(() => core.cancelAll('shutdown'), KILL_MS);
    await drained;
    clearTimeout(harder);
    return 0;
  } finally {
    forgetting();
    store.close();
  }
}
