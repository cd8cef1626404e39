/** `turnout org events`: the only one that streams. */

import { watchParent } from '../process/parent-watch.js';
import { watchReader } from '../process/reader-watch.js';
import { readSince } from '../serve/org/cursor.js';
import { linesFrom } from '../serve/org/follow.js';
import { needOrg, OrgError } from '../serve/org/project.js';
import { liveOutput } from './live-output.js';
import type { Asked } from './org-reads.js';

/** Milliseconds between two looks at the log: a reader has half a second. */
const LOOK_MS = 200;
/** Milliseconds between two looks at who reads, and at our parent. */
const WATCH_MS = 400;

const pause = (): Promise<boolean> => new Promise((resolve) => setTimeout(() => resolve(true), LOOK_MS));

/** Whoever follows ends us at any time: nothing needs to be cleaned up. */
function endWithReader(): void {
  const end = () => process.exit(0);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  watchParent(end, { everyMs: WATCH_MS });
  watchReader(end, { everyMs: WATCH_MS });
}

/** Resolves when there is nothing more to print. @throws {OrgError} there is no such org or run; UsageError */
export async function printEvents({ project, words, flags }: Asked): Promise<void> {
  const cursor = flags.one('since');
  const since = cursor === undefined ? undefined : readSince(cursor);
  const org = await needOrg(project, words[0]);
  const { store } = project;
  if (store === null) throw new OrgError(`no runs found for org ${org.name}`);
  const follow = flags.has('follow');
  const lines = linesFrom({ ...project, store }, org, { run: flags.one('run'), since, follow }, pause);
  if (follow) endWithReader();
  const out = liveOutput();
  for await (const json of lines) {
    await out.write(`${json}\n`);
    if (out.gone()) return;
  }
}
