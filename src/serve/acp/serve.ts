/** `turnout acp`: store, core and the agent on stdio, from start to a clean end. */

import { join, resolve } from 'node:path';
import type { AccessMode, Effort, SettingsSource } from '../../contract/vocabulary.js';
import { pickRuntime } from '../../exec/pick-runtime.js';
import type { Log } from '../../output/log.js';
import { stateDir } from '../../process/state-dir.js';
import { runners } from '../../registry/registry.js';
import { liveGiven } from '../../runs/clock-and-ids.js';
import { type Core, createCore } from '../../runs/core.js';
import { outliveFaults, signalled } from '../../runs/lifetime.js';
import { recover } from '../../runs/recover.js';
import { retention } from '../../runs/retention.js';
import { memoryStore } from '../../runs/store/memory-store.js';
import type { Store } from '../../runs/store/store.js';
import { acpAgent, type Served } from './agent.js';
import { catalog } from './catalog.js';
import { openSessions } from './open-sessions.js';
import { stdio } from './stdio.js';

export interface AcpOptions {
  /** An id, `auto`, or `acp:COMMAND`. */
  runtime: string;
  access: AccessMode;
  model: string | null;
  effort: Effort | null;
  settings: readonly SettingsSource[];
  /** A path, or `memory`; in the state folder when absent. */
  store?: string;
  allowRoot: boolean;
  /** Whether the client's MCP servers are handed to the runtime. */
  servers: boolean;
  /** How long the user may think about a permission; 0 is for ever. */
  askMs: number;
  env: NodeJS.ProcessEnv;
  turnout: readonly string[];
  version: string;
  log: Log;
}

/** What answers may take once nobody asks any more, and when what still runs is killed. */
const LAST_ANSWERS_MS = 700;
const KILL_MS = 250;

/** Where sessions are kept unless --store says otherwise. Not the server's file: that one is held by one process alone. */
export const acpStore = (env: NodeJS.ProcessEnv): string => join(stateDir(env), 'acp.db');

/** Shared: every editor starts a process of its own. @throws StoreError */
export async function openAcpStore(options: Pick<AcpOptions, 'store' | 'env' | 'log'>): Promise<Store> {
  if (options.store === 'memory') return memoryStore();
  const { openSqlite } = await import('../../runs/store/sqlite-store.js');
  const path = options.store === undefined ? acpStore(options.env) : resolve(options.store);
  try {
    return await openSqlite({ path, what: 'acp', shared: true, complain: (text) => options.log.error(text) });
  } catch (error) {
    const missing = error instanceof Error && 'kind' in error && error.kind === 'missing-library';
    if (!missing || options.store !== undefined) throw error;
    options.log.warn(`${error.message}: sessions are kept in memory only`);
    return memoryStore();
  }
}

export function acpCore(store: Store, options: Pick<AcpOptions, 'env' | 'turnout' | 'version'>): Core {
  const { TURNOUT_TOKEN: _ours, ...ambient } = options.env;
  const { turnout, version } = options;
  return createCore({ store, runners, ambient, cwd: process.cwd(), turnout, version });
}

function served(core: Core, options: AcpOptions): Served {
  const given = liveGiven();
  const { runtime, access, model, effort, settings, allowRoot, servers, askMs } = options;
  const noFull = process.getuid?.() === 0 && !allowRoot;
  const all = catalog(core);
  return acpAgent({
    core,
    given,
    openSessions: openSessions({ core, given, catalog: all, runtime, access, model, effort, noFull }),
    first: async () => (await pickRuntime(runtime, core.runners, core.places()))?.runner ?? null,
    runtime,
    settings,
    allowRoot,
    servers,
    askMs,
  });
}

const within = (ms: number, work: Promise<unknown>): Promise<unknown> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

/** Requests that were read are answered, those of running turns with `cancelled`. */
async function lastAnswers(one: Served): Promise<void> {
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  for (let quiet = 0; quiet < 3; ) {
    await turn();
    quiet = one.open() === 0 ? quiet + 1 : 0;
  }
}

/** Answers until its input ends, nobody reads, or a signal. @returns the exit code @throws StoreError */
export async function serveAcp(options: AcpOptions): Promise<number> {
  const store = await openAcpStore(options);
  const core = acpCore(store, options);
  let forgetting = () => {};
  outliveFaults((text) => options.log.error(text));
  try {
    const lost = await recover(store, Date.now());
    if (lost > 0) options.log.warn(`${lost} ${lost === 1 ? 'turn' : 'turns'} of an earlier process were interrupted`);
    forgetting = retention(store, (text) => options.log.warn(text));
    const one = served(core, options);
    const { stream, ended, gone } = stdio(process.stdin, process.stdout);
    const connection = one.app.connect(stream);
    if (process.stdin.isTTY)
      options.log.info('speaks the Agent Client Protocol on stdin and stdout; editors start it (docs/editors.md)');
    await Promise.race([ended, gone, signalled(), connection.closed]);
    one.endAll();
    const harder = setTimeout(() => core.cancelAll('user'), KILL_MS);
    const drained = core.drain();
    await within(LAST_ANSWERS_MS, lastAnswers(one));
    await drained;
    clearTimeout(harder);
    connection.close();
    return 0;
  } finally {
    forgetting();
    store.close();
  }
}
