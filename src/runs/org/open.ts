/** Where the logs of orgs are kept: one file for all processes of the person, which work with it side by side. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stateDir } from '../../process/state-dir.js';
import { openSqlite, readSqlite } from '../store/sqlite-store.js';
import type { Store } from '../store/store.js';
import { keepingOrgs } from './keep.js';

const orgsFile = (env: NodeJS.ProcessEnv): string => join(stateDir(env), 'orgs.db');

/**
 * @param what how we can be reached, in words
 * @param now milliseconds since 1970, for tests
 * @param complain hears that something could not be written; it is tried again
 * @throws StoreError
 */
export async function openOrgs(
  env: NodeJS.ProcessEnv,
  what: string,
  complain: (line: string) => void,
  now?: () => number,
): Promise<Store> {
  return keepingOrgs(await openSqlite({ path: orgsFile(env), what, shared: true, complain }), now);
}

/** Beside whoever writes. @returns null when nothing was ever kept @throws StoreError */
export async function readOrgs(env: NodeJS.ProcessEnv): Promise<Store | null> {
  const path = orgsFile(env);
  return existsSync(path) ? (await readSqlite(path)).store : null;
}
