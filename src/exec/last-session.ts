/** Which session `turnout run` had last in a folder, for `--continue`. Ids alone; the conversation is the runtime's. */

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../process/make-folder.js';
import { stateDir } from '../process/state-dir.js';
import { arr, parseJson, str } from '../text/json.js';

export interface LastSession {
  cwd: string;
  runtime: string;
  session: string;
}

/** Older ones are forgotten. */
const KEPT = 200;

const fileOf = (env: NodeJS.ProcessEnv) => join(stateDir(env), 'run-sessions.json');

function readAll(env: NodeJS.ProcessEnv): LastSession[] {
  let text: string;
  try {
    text = readFileSync(fileOf(env), 'utf8');
  } catch {
    return [];
  }
  return (arr(parseJson(text), 'sessions') ?? []).flatMap((entry) => {
    const [cwd, runtime, session] = [str(entry, 'cwd'), str(entry, 'runtime'), str(entry, 'session')];
    return cwd === undefined || runtime === undefined || session === undefined ? [] : [{ cwd, runtime, session }];
  });
}

/** @param runtime any when null @returns the newest of that folder, or null */
export function lastSession(cwd: string, runtime: string | null, env: NodeJS.ProcessEnv): LastSession | null {
  return readAll(env).find((one) => one.cwd === cwd && (runtime === null || one.runtime === runtime)) ?? null;
}

/** Never throws: a turn is not lost because its id could not be kept. */
export function keepSession(last: LastSession, env: NodeJS.ProcessEnv): void {
  const others = readAll(env).filter((one) => one.cwd !== last.cwd || one.runtime !== last.runtime);
  const sessions = [last, ...others].slice(0, KEPT);
  try {
    makeFolder(stateDir(env), 0o700);
    const scratch = `${fileOf(env)}.${process.pid}`;
    writeFileSync(scratch, JSON.stringify({ v: 1, sessions }), { mode: 0o600 });
    renameSync(scratch, fileOf(env));
  } catch {
    // Nothing depends on it but a later --continue, which will say that it knows no session.
  }
}
