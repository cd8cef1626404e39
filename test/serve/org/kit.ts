/** What the tests of `turnout org` share: a project of their own, calls, followers, and a store that they write. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as assert from 'uvu/assert';
import type { Event } from '../../../src/contract/event.js';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { openOrgs } from '../../../src/runs/org/open.js';
import { orgRunId, seriesMetadata } from '../../../src/runs/org/series.js';
import type { Store } from '../../../src/runs/store/store.js';
import { place, TURNOUT } from '../../contract/cli.js';
import { run as record, session } from '../../runs/samples.js';

export const where = place();
mkdirSync(join(where.cwd, '.git'));
const project = where.cwd;
export const options = {
  cwd: where.cwd,
  env: where.env,
  encoding: 'utf8',
  timeout: 60_000,
  maxBuffer: 64 * 1024 * 1024,
} as const;
const turnout = (...args: string[]) => spawnSync(process.execPath, [TURNOUT, ...args], options);
export const org = (...args: string[]) => turnout('org', ...args);
export const json = (...args: string[]): JsonObject => {
  const { status, stdout, stderr } = org(...args, '--format', 'json');
  assert.is(status, 0, stderr);
  assert.match(stdout, /^\{.*\}\n$/);
  return JSON.parse(stdout);
};
export const items = (document: JsonObject): JsonObject[] => document['items'] as JsonObject[];
export const events = (...args: string[]): JsonObject[] => {
  const { status, stdout, stderr } = org('events', ...args);
  assert.is(status, 0, stderr);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};
export const refused = (status: number, pattern: RegExp, ...args: string[]) => {
  const told = org(...args);
  assert.equal([told.status, told.stdout], [status, ''], args.join(' '));
  assert.match(told.stderr, /^[^\n]+\n$/);
  assert.match(told.stderr, pattern);
};
export const turn = (prompt: string, name: string, ...more: string[]) =>
  turnout('agent', 'exec', '--runtime', 'demo', '--prompt', prompt, '--org', name, '--role', 'lead', ...more);

/** A store whose clock we set; closed at the end. */
const clock = { now: Date.parse('2026-01-31T08:00:00.000Z') };
export const later = (): number => clock.now;
const stores: Store[] = [];
export async function writer(): Promise<Store> {
  const opened = await openOrgs(
    { ...where.env },
    'a test',
    (line) => assert.unreachable(line),
    () => clock.now,
  );
  stores.push(opened);
  return opened;
}
export function begin(store: Store, name: string, id: string, created_at = clock.now) {
  const metadata = seriesMetadata({ org: name, role: 'lead', project });
  const made = record(id, { metadata, created_at, session_id: `ses_${id}`, cwd: project });
  store.putSession(session(`ses_${id}`, { created_at, updated_at: created_at }));
  store.putRun(made);
  return { made, run: orgRunId(made) };
}
export const notice = (message: string): Event => ({
  v: 1,
  type: 'status',
  phase: 'notice',
  code: 'runtime-message',
  message,
});
/** Five lines, a second apart. */
export async function five(name: string, id: string) {
  const store = await writer();
  const began = begin(store, name, id);
  for (let seq = 1; seq <= 5; seq++) {
    store.append(began.made.run_id, { seq, event: notice(`n${seq}`) });
    await store.commit();
    clock.now += 1000;
  }
  return began;
}
export const texts = (all: readonly JsonObject[]) => all.map(({ msg }) => msg);

export const closeAll = (): void => {
  for (const store of stores) store.close();
};

interface Follower {
  child: ChildProcess;
  lines: AsyncIterator<string>;
  next(): Promise<JsonObject>;
  ended: Promise<number | null>;
}

export function follow(...args: string[]): Follower {
  const child = spawn(process.execPath, [TURNOUT, 'org', 'events', ...args, '--follow'], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    lines,
    async next() {
      const one = await lines.next();
      if (one.done === true) throw new Error('the follower ended');
      return JSON.parse(one.value);
    },
    ended: new Promise((resolve) => child.on('exit', resolve)),
  };
}
