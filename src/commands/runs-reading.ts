/** Opens the store of a server for reading, beside that server. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../contract/error.js';
import type { RunRecord } from '../runs/records.js';
import type { Store } from '../runs/store/store.js';

export const STORE_FLAGS = {
  store: Flags.string({ summary: 'where the server keeps its runs', helpValue: 'PATH' }),
  ndjson: Flags.boolean({ summary: 'one JSON object a line' }),
};

export interface Reading {
  store: Store;
  held(): boolean;
}

/** @returns null when no server has kept anything yet @throws UsageError */
export async function readStore(path: string | undefined): Promise<Reading | null> {
  const { defaultStore } = await import('../serve/open-core.js');
  const file = path === undefined ? defaultStore(process.env) : resolve(path);
  if (!existsSync(file)) {
    if (path === undefined) return null;
    throw new UsageError(`--store ${path}: there is no such file`);
  }
  const { readSqlite } = await import('../runs/store/sqlite-store.js');
  try {
    return await readSqlite(file);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The run of that id, or the one that an unambiguous beginning of it means; the newest without one. @throws UsageError */
export function pickRun(store: Store, id: string | undefined): RunRecord {
  const recent = store.runs({ limit: 1000 });
  if (id === undefined) {
    const [newest] = recent;
    if (newest) return newest;
    throw new UsageError('no run is kept');
  }
  const exact = store.run(id);
  if (exact) return exact;
  const [one, other] = recent.filter((run) => run.run_id.startsWith(id) || run.run_id.startsWith(`run_${id}`));
  if (one && !other) return one;
  throw new UsageError(one ? `${id} means several runs` : `there is no run ${id}`, { hint: 'turnout runs' });
}
