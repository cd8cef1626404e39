/** `turnout mcp`: store, core and one client, from start to a clean end. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../contract/error.js';
import type { Log } from '../../output/log.js';
import { runners } from '../../registry/registry.js';
import { createCore } from '../../runs/core.js';
import { outliveFaults, signalled } from '../../runs/lifetime.js';
import { recover } from '../../runs/recover.js';
import { retention } from '../../runs/retention.js';
import { ownerAt } from '../../runs/sight.js';
import { memoryStore } from '../../runs/store/memory-store.js';
import type { Store } from '../../runs/store/store.js';
import { secretValues } from '../../text/redact.js';
import { DEFAULT_MAX_DEPTH, MAX_DEPTH, maxDepth, ownDepth } from './depth.js';
import type { McpAllowed } from './settings.js';
import { serveMcpStdio } from './stdio.js';
import { waiting } from './waiting.js';

export interface McpOptions extends McpAllowed {
  cwd?: string;
  /** A path; kept in memory when absent or `memory`. */
  store?: string;
  concurrency?: number;
  env: NodeJS.ProcessEnv;
  turnout: readonly string[];
  version: string;
  log: Log;
}

/** Each client starts a server of its own, and all may keep their sessions in one file. */
async function openStore(path: string | undefined, complain: (message: string) => void): Promise<Store> {
  if (path === undefined || path === 'memory') return memoryStore();
  const { openSqlite } = await import('../../runs/store/sqlite-store.js');
  try {
    return await openSqlite({ path: resolve(path), what: 'mcp', shared: true, complain });
  } catch (error) {
    throw new UsageError(`--store: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function folder(cwd: string | undefined): string {
  const path = resolve(cwd ?? '.');
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`--cwd: ${path} is not a folder`);
  return path;
}

/** Runs until the client leaves, or a signal; nothing of it is left then. @throws UsageError */
export async function runMcp(options: McpOptions): Promise<void> {
  const { turnout, version, concurrency, env } = options;
  const { TURNOUT_TOKEN: _ours, ...given } = env;
  const secrets = secretValues(env);
  const complain = (message: string) => options.log.error(message);
  const cwd = folder(options.cwd);
  const most = maxDepth(options.maxDepth ?? DEFAULT_MAX_DEPTH, env);
  // Whoever reaches another server of ours from inside of our turns finds the limit there.
  const ambient = { ...given, [MAX_DEPTH]: String(most) };
  const store = await openStore(options.store, complain);
  outliveFaults(complain);
  let forgetting = () => {};
  try {
    await recover(store, Date.now());
    forgetting = retention(store, complain);
    await serveMcpStdio({
      settings: {
        caller: ownerAt('mcp'),
        core: createCore({ store, runners, ambient, cwd, turnout, version, concurrency }),
        runtime: options.runtime,
        access: options.access,
        approvals: options.approvals,
        depth: ownDepth(env),
        maxDepth: most,
        waiting: waiting(),
        secrets,
      },
      input: process.stdin,
      output: process.stdout,
      stopped: signalled(),
      complain,
    });
  } finally {
    forgetting();
    store.close();
  }
}
