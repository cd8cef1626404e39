/** What people ask about a cluster: who belongs to it, what is under way, and what is wrong. */

import type { Engine, Member } from './engine.js';
import { homeIn, serves, works } from './placement.js';

export interface ClusterStatus {
  v: 1;
  /** Without user and password. */
  engine: string;
  members: Member[];
  /** Runs that wait, and runs that a worker has. */
  queued: number;
  running: number;
  /** Runs that wait for what no member has. */
  stuck: { run_id: string; why: string }[];
}

export interface Finding {
  level: 'ok' | 'warning' | 'error';
  message: string;
}

const names = (members: readonly Member[]): Set<string> =>
  new Set(members.map(({ id, instance }) => `${id}#${instance}`));

/** @throws {CoreError} store */
export async function clusterStatus(engine: Engine): Promise<ClusterStatus> {
  const [members, { queued, claimed }, open] = await Promise.all([engine.members(), engine.load(), engine.open()]);
  const workers = members.filter(works);
  const stuck = open.flatMap(({ run, queue, worker }) => {
    if (worker !== null || workers.some((one) => serves(queue, one))) return [];
    const home = homeIn(queue);
    const why =
      home === null ? `no worker has ${queue.replace(/^rt\./, '')}` : `worker ${home}, which has its session, is gone`;
    return [{ run_id: run, why }];
  });
  return { v: 1, engine: engine.name, members, queued, running: claimed, stuck };
}

/** @param warnings what the engine's own check found @throws {CoreError} store */
export async function clusterFindings(engine: Engine, warnings: readonly string[]): Promise<Finding[]> {
  const { members, stuck } = await clusterStatus(engine);
  const found: Finding[] = warnings.map((message) => ({ level: 'warning', message }));
  const short = await engine.short();
  if (short !== null) found.push({ level: 'error', message: `${short}: new runs are refused` });
  const workers = members.filter(works);
  if (workers.length === 0)
    found.push({ level: 'error', message: 'there is no worker: turnout agent serve --role worker --cluster URL' });
  if (!members.some(({ role }) => role !== 'worker'))
    found.push({ level: 'warning', message: 'there is no front: turnout agent serve --role front --transport http' });
  const versions = [...new Set(members.map(({ version }) => version))].sort();
  if (versions.length > 1)
    found.push({ level: 'warning', message: `members are of several versions: ${versions.join(', ')}` });
  for (const { id, memory } of workers) {
    if (memory.free >= memory.least) continue;
    found.push({ level: 'warning', message: `worker ${id} takes nothing: its memory is short` });
  }
  for (const { id, draining } of workers)
    if (draining) found.push({ level: 'warning', message: `worker ${id} takes nothing: it is being drained` });
  for (const { run_id, why } of stuck) found.push({ level: 'error', message: `run ${run_id} waits: ${why}` });
  const alive = names(members);
  for (const { run, worker } of await engine.open()) {
    if (worker === null || alive.has(worker.replace(/^front:/, ''))) continue;
    found.push({ level: 'warning', message: `run ${run} is ended soon: its worker is gone` });
  }
  if (found.length > 0) return found;
  return [{ level: 'ok', message: `${engine.name}: ${members.length} members, nothing is wrong` }];
}
