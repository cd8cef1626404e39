/** What a cluster adds to a turn, and how many simulated turns a second its workers take. The engine is Redis on this machine. */

import { join } from 'node:path';
import type { Event } from '../../src/contract/event.js';
import { createCore } from '../../src/runs/core.js';
import type { StartTurn } from '../../src/runs/plan.js';
import { openSqlite } from '../../src/runs/store/sqlite-store.js';
import { hasRedis, serveRedis } from '../../test/cluster/engines.js';
import { freshName, member } from '../../test/cluster/world.js';
import { OWNER, type Ports } from '../../test/runs/conformance/worlds.js';
import { done, plan, says, start } from '../../test/runs/fake-turn.js';
import { runner } from '../../test/turn/stage.js';
import { type Figure, ms, type Row, skipped } from '../figure.js';
import { place } from '../place.js';
import { quantile } from '../timing.js';

const EVENTS = 30;
const TURNS = 200;
const TOGETHER = 8;
/** Milliseconds of a turn that waits for its model, and how many of them a worker has at once. */
const TURN_MS = 200;
const PLACES = 4;
const WORKERS = [1, 2, 4, 8];
/** What a cluster may add to a turn, milliseconds. */
const MOST_CPU = 5;
const MOST_LATENCY = 20;

/** A turn without a program: its events are there after a while. */
const simulated =
  (turnMs: number): StartTurn =>
  (_, emit: (event: Event) => void) => {
    const nothing = () => {};
    const over = new Promise<number>((resolve) => {
      emit(start);
      emit(says('word 0 '));
      setTimeout(() => {
        for (let i = 1; i < EVENTS; i++) emit(says(`word ${i} `));
        emit(done());
        resolve(0);
      }, turnMs);
    });
    return { frame: nothing, stdinClosed: nothing, cancel: nothing, pause: nothing, resume: nothing, done: over };
  };

async function turn(ports: Ports, index: number): Promise<number> {
  const began = performance.now();
  const conversation = { kind: 'new' } as const;
  const { run } = await ports.runs.start({ caller: OWNER, plan: plan(`turn ${index}`), conversation, attended: false });
  await ports.runs.ended(run.run_id, OWNER);
  return performance.now() - began;
}

async function together(ports: Ports, turns: number, at: number): Promise<number[]> {
  const taken: number[] = [];
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < turns) taken.push(await turn(ports, next++));
  };
  await Promise.all(Array.from({ length: at }, one));
  return taken;
}

/** Milliseconds of CPU, and from the request to the end, of one turn. */
async function cost(ports: Ports): Promise<{ cpu: number; latency: number }> {
  await together(ports, TOGETHER, TOGETHER);
  const alone = await together(ports, 30, 1);
  const before = process.cpuUsage();
  await together(ports, TURNS, TOGETHER);
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1000 / TURNS, latency: quantile(alone, 0.5) };
}

async function rate(url: string, workers: number): Promise<number> {
  const name = freshName();
  const begin = simulated(TURN_MS);
  const front = await member(url, name, begin, { role: 'front' });
  const all = await Promise.all(
    Array.from({ length: workers }, () => member(url, name, begin, { role: 'worker', concurrency: PLACES })),
  );
  const turns = 12 * workers * PLACES;
  const began = performance.now();
  await together(front, turns, 2 * workers * PLACES);
  const taken = performance.now() - began;
  for (const one of [...all, front]) {
    await one.drain();
    await one.close();
  }
  return (turns / taken) * 1000;
}

export const cluster: Row = {
  id: 'cluster',
  async measure(): Promise<Figure[]> {
    const what = 'what a cluster on Redis adds to a turn';
    if (!hasRedis()) return [skipped(what, 'redis-server is not installed')];
    const store = await openSqlite({ path: join(place().folder, 'runs.db'), what: 'a bench', complain() {} });
    const machine = { runners: [runner()], ambient: {}, cwd: '/project', turnout: [], version: '0.0.0' };
    const embedded = createCore({ ...machine, store, start: simulated(0), concurrency: TOGETHER });
    const own = await cost(embedded);
    await embedded.drain();
    store.close();
    const served = await serveRedis();
    try {
      const shared = await member(served.url, freshName(), simulated(0), { concurrency: TOGETHER });
      const added = await cost(shared);
      await shared.drain();
      await shared.close();
      const rates: number[] = [];
      for (const workers of WORKERS) rates.push(await rate(served.url, workers));
      const cpu = added.cpu - own.cpu;
      const latency = added.latency - own.latency;
      const note = `${EVENTS} events, no program; ${ms(added.cpu)} instead of ${ms(own.cpu)}, front and worker in one process`;
      return [
        {
          what: `${what}, CPU of front and worker`,
          value: cpu,
          shown: ms(cpu),
          most: MOST_CPU,
          target: `≤ ${MOST_CPU} ms`,
          note,
        },
        {
          what: `${what}, from the request to its end`,
          value: latency,
          shown: ms(latency),
          most: MOST_LATENCY,
          target: `≤ ${MOST_LATENCY} ms`,
          note: `median, ${ms(added.latency)} instead of ${ms(own.latency)}`,
        },
        {
          what: `turns a second of ${WORKERS.join(', ')} workers`,
          value: rates.at(-1) ?? null,
          shown: rates.map((one) => one.toFixed(0)).join(', '),
          note: `simulated, ${TURN_MS} ms, ${PLACES} at once on each; all in one process`,
        },
      ];
    } finally {
      await served.stop();
    }
  },
};
