/** Ports over a cluster, with turns that do as the test says. */

import { type ClusterCore, type ClusterOptions, openCluster } from '../../src/cluster/core.js';
import { openEngine } from '../../src/cluster/open.js';
import type { StartTurn } from '../../src/runs/plan.js';
import type { World, WorldOptions } from '../runs/conformance/worlds.js';
import { fakeTurns } from '../runs/fake-turn.js';
import { runner } from '../turn/stage.js';

let worlds = 0;
let members = 0;

/** @param start how turns run, for a member that runs some */
export async function member(
  url: string,
  name: string,
  start: StartTurn,
  options: Partial<ClusterOptions> = {},
): Promise<ClusterCore> {
  const { engine, backend } = options;
  const opened = engine && backend ? { engine, backend } : await openEngine(url, { name, complain() {} });
  members += 1;
  return openCluster({
    ...opened,
    role: 'all',
    id: `m${members}`,
    runners: [runner()],
    runtimes: { test: '1.0.0' },
    ambient: {},
    cwd: '/project',
    turnout: [],
    version: '0.0.0',
    start,
    leastMemory: 0,
    complain() {},
    ...options,
  });
}

export const freshName = (): string => {
  worlds += 1;
  return `t${process.pid}_${worlds}`;
};

/** @param apart front and worker are members of their own */
export async function clusterWorld(url: string, options: WorldOptions = {}, apart = false): Promise<World> {
  const name = freshName();
  const { turns, start } = fakeTurns();
  const worker = await member(url, name, start, { ...options, role: apart ? 'worker' : 'all' });
  const front = apart ? await member(url, name, start, { ...options, role: 'front' }) : worker;
  const others: ClusterCore[] = [];
  const ports = {
    ...front,
    // What the runs of a worker have in common with it.
    cancelAll: worker.cancelAll,
    dispatch: worker.dispatch,
    async drain() {
      await Promise.all(apart ? [front.drain(), worker.drain()] : [worker.drain()]);
    },
  };
  return {
    ports,
    turns,
    beside: async () => {
      const other = await member(url, name, start, { role: 'front' });
      others.push(other);
      return other;
    },
    async close() {
      for (const other of others) await other.close();
      if (apart) await front.close();
      await worker.close();
    },
  };
}
