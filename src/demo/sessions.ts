/** Sessions of the demo runtime: the prompts so far, one private file each. */

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { arr, parseObject } from '../text/json.js';

/** An id becomes a file name, so nothing but letters, digits and dashes is one. */
const ID = /^[A-Za-z0-9-]{1,64}$/;

/** Where sessions are kept: the state folder of the XDG rules, the local application data on Windows. */
export function sessionFolder(env: NodeJS.ProcessEnv, platform: string): string {
  const local = env['LOCALAPPDATA'];
  if (platform === 'win32' && local) return join(local, 'turnout', 'demo');
  const state = env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state');
  return join(state, 'turnout', 'demo');
}

/** @returns the prompts of an earlier turn, or null when there is no such session */
export async function recall(folder: string, id: string): Promise<string[] | null> {
  if (!ID.test(id)) return null;
  let text: string;
  try {
    text = await readFile(join(folder, `${id}.json`), 'utf8');
  } catch {
    return null;
  }
  const prompts = arr(parseObject(text), 'prompts');
  return prompts ? prompts.filter((one) => typeof one === 'string') : null;
}

/**
 * Keeps the prompts of a session. The file is replaced whole, so a turn that is killed leaves the last good one.
 * @throws when the folder can't be written
 */
export async function keep(folder: string, id: string, prompts: readonly string[], cwd: string): Promise<void> {
  if (!ID.test(id)) throw new Error(`not a session id: ${id}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${id}.json`);
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, JSON.stringify({ id, cwd, prompts }), { mode: 0o600 });
  await rename(fresh, file);
}
