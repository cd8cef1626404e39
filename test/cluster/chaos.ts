/**
 * Turns with real process trees while workers, fronts and the engine die or stop at random. Each turn writes a line into a
 * file of its own and leaves a child behind, so that a turn which is run twice, or a process that outlives its turn, is seen.
 */

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dice } from '../faults/random.js';
import type { Served } from './engines.js';
import { type Line, type Members, members, request, type Spawned, type SpawnedFront } from './members.js';

export interface ChaosOptions {
  turns: number;
  workers: number;
  /** Milliseconds between two misfortunes. */
  everyMs: number;
  random: Dice;
}

export interface ChaosResult {
  /** Status → how many runs ended so. */
  ends: Record<string, number>;
  misfortunes: Record<string, number>;
  faults: Record<
    | 'holes'
    | 'double ends'
    | 'missing ends'
    | 'events after the end'
    | 'turns run twice'
    | 'completed without running'
    | 'runs for one key'
    | 'survivors',
    number
  >;
  seconds: number;
}

const LEASE = ['--lease', '3s', '--concurrency', '6'];
const STOPPED_MS = 5000;
/** Turns that are submitted at once. */
const AT_ONCE = 40;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Processes whose environment holds a text. */
function holding(mark: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      if (/^State:\s+[ZX]/m.test(readFileSync(`/proc/${name}/status`, 'utf8'))) return false;
      return readFileSync(`/proc/${name}/environ`, 'utf8').includes(mark);
    } catch {
      // It ended while we looked, or is somebody else's.
      return false;
    }
  });
}

/** Asks one front after another until one answers. */
async function ask(fronts: readonly SpawnedFront[], body: object): Promise<Line[]> {
  for (let i = 0; ; i++) {
    const front = fronts[i % fronts.length];
    try {
      if (front) {
        const lines = await request(front.url, body, AbortSignal.timeout(15_000));
        const error = lines.find(({ kind }) => kind === 'error');
        if (!error && lines.some(({ kind }) => kind === 'done')) return lines;
      }
    } catch {
      // That one is away: the next.
    }
    await pause(100);
  }
}

interface Team {
  all: Members;
  workers: Spawned[];
  fronts: SpawnedFront[];
  stopped: Set<Spawned>;
}

/** A worker that can't start, because the engine is away, is started again, as systemd does. */
function hire(team: Team, at: number): void {
  const worker = team.all.worker(`w${at}`, LEASE);
  team.workers[at] = worker;
  worker.child.once('exit', (code) => {
    if (code === 2 && team.workers[at] === worker) setTimeout(() => hire(team, at), 500);
  });
}

async function misfortune(team: Team, served: Served, options: ChaosOptions, count: (what: string) => void) {
  const { random } = options;
  const dice = random.next();
  if (dice < 0.1) {
    count('engine killed');
    return served.crash();
  }
  if (dice < 0.3) {
    const at = random.below(team.fronts.length);
    team.fronts[at]?.kill('SIGKILL');
    team.fronts[at] = await team.all.front(LEASE);
    return count('front killed');
  }
  const running = team.workers.filter((one) => !team.stopped.has(one));
  if (running.length === 0) return;
  const worker = random.pick(running);
  if (dice < 0.65) {
    count('worker killed');
    const at = team.workers.indexOf(worker);
    worker.kill('SIGKILL');
    return hire(team, at);
  }
  count('worker stopped');
  team.stopped.add(worker);
  worker.kill('SIGSTOP');
  setTimeout(() => {
    worker.kill('SIGCONT');
    team.stopped.delete(worker);
  }, STOPPED_MS);
}

/** What is wrong with the log of a run. */
function judge(lines: readonly Line[], faults: ChaosResult['faults']): void {
  const events = lines.filter(({ kind }) => kind === 'event');
  faults.holes += events.filter(({ seq }, index) => seq !== index + 1).length;
  const types = events.map(({ event }) =>
    typeof event === 'object' && event !== null && 'type' in event ? event.type : '',
  );
  const ends = types.filter((type) => type === 'done').length;
  if (ends === 0) faults['missing ends'] += 1;
  if (ends > 1) faults['double ends'] += 1;
  if (ends > 0 && types.at(-1) !== 'done') faults['events after the end'] += 1;
}

export async function chaos(served: Served, options: ChaosOptions): Promise<ChaosResult> {
  const began = Date.now();
  const folder = mkdtempSync(join(tmpdir(), 'cluster-chaos-'));
  const mark = `CLUSTER_CHAOS=${process.pid}-${began}`;
  const all = members(served.url);
  const team: Team = {
    all,
    workers: [],
    fronts: [await all.front(LEASE), await all.front(LEASE)],
    stopped: new Set(),
  };
  for (let index = 0; index < options.workers; index++) hire(team, index);
  const misfortunes: Record<string, number> = {};
  const count = (what: string): void => {
    misfortunes[what] = (misfortunes[what] ?? 0) + 1;
  };
  const runs = new Map<number, Set<string>>();
  const ends: Record<string, number> = {};
  const faults: ChaosResult['faults'] = {
    holes: 0,
    'double ends': 0,
    'missing ends': 0,
    'events after the end': 0,
    'turns run twice': 0,
    'completed without running': 0,
    'runs for one key': 0,
    survivors: 0,
  };
  const [name = '', value = ''] = mark.split('=');
  async function turn(index: number): Promise<void> {
    const command = `echo ran >> ${folder}/${index}; sleep 300 & sleep 0.2; echo said`;
    const body = {
      ...{ op: 'exec', runtime: 'demo', prompt: `shell ${command}`, access: 'full', allow_root: true, detach: true },
      ...{ env: { [name]: value }, idempotency_key: `turn-${index}`, cwd: folder },
    };
    const known = runs.get(index) ?? new Set<string>();
    runs.set(index, known);
    for (let tries = 0; tries < 2; tries++) {
      const lines = await ask(team.fronts, body);
      const id = lines.find(({ kind }) => kind === 'result')?.['run_id'];
      if (typeof id === 'string') known.add(id);
    }
    const [id = ''] = known;
    for (;;) {
      const run = (await ask(team.fronts, { op: 'run', run_id: id })).find(({ kind }) => kind === 'result')?.['run'];
      const status = typeof run === 'object' && run !== null && 'status' in run ? String(run.status) : '';
      if (['completed', 'failed', 'cancelled', 'interrupted'].includes(status)) {
        ends[status] = (ends[status] ?? 0) + 1;
        if (status === 'completed' && !existsSync(join(folder, String(index))))
          faults['completed without running'] += 1;
        break;
      }
      await pause(300);
    }
    judge(await ask(team.fronts, { op: 'events', run_id: id, since: 0 }), faults);
  }
  let over = false;
  const troubles = (async () => {
    for (;;) {
      await pause(options.everyMs);
      if (over) return;
      await misfortune(team, served, options, count);
    }
  })();
  try {
    let next = 0;
    const one = async (): Promise<void> => {
      while (next < options.turns) await turn(next++);
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, options.turns) }, one));
    over = true;
    await troubles;
    while (team.stopped.size > 0) await pause(200);
    // A worker that was stopped has ten seconds to see that its turns are not its own any more.
    for (const until = Date.now() + 10_000; holding(mark).length > 0 && Date.now() < until; ) await pause(200);
    faults.survivors = holding(mark).length;
    faults['runs for one key'] = [...runs.values()].filter(({ size }) => size !== 1).length;
    for (const file of readdirSync(folder))
      if (readFileSync(join(folder, file), 'utf8').trim().split('\n').length > 1) faults['turns run twice'] += 1;
  } finally {
    over = true;
    await all.end();
    rmSync(folder, { recursive: true, force: true });
  }
  return { ends, misfortunes, faults, seconds: Math.round((Date.now() - began) / 1000) };
}
