/** A hundred demo turns at once in one server, and what sessions cost that only stand there. */

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, ms, type Row, skipped } from '../figure.js';
import { type LineServer, lineServer } from '../line-server.js';
import { longestBlock, watchLoop } from '../loop-watch.js';
import { place } from '../place.js';
import { quantile } from '../timing.js';

const TURNS = 100;
const ALONE = 6;
const ASK_EVERY = 20;

/** Events a second of so many turns, all begun at once or one after another. */
async function speed(server: LineServer, turns: number, together: boolean): Promise<number> {
  const began = performance.now();
  const one = () => server.ask({ op: 'exec', runtime: 'demo', prompt: 'long' });
  let events = 0;
  if (together) events = (await Promise.all(Array.from({ length: turns }, one))).reduce((sum, more) => sum + more, 0);
  else for (let turn = 0; turn < turns; turn++) events += await one();
  return (events / (performance.now() - began)) * 1000;
}

/** How long small questions wait meanwhile, milliseconds. */
async function waits(server: LineServer, until: Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  let over = false;
  const end = until.then(() => {
    over = true;
  });
  while (!over) {
    const began = performance.now();
    await server.ask({ op: 'ping' });
    taken.push(performance.now() - began);
    await Promise.race([sleep(ASK_EVERY), end]);
  }
  return taken;
}

/** Bytes that each of a hundred sessions adds, when its turn is over. */
async function perSession(server: LineServer): Promise<number> {
  const round = () =>
    Promise.all(Array.from({ length: TURNS }, () => server.ask({ op: 'exec', runtime: 'demo', prompt: 'hello' })));
  await round();
  await sleep(1000);
  const before = server.memory();
  await round();
  await sleep(1000);
  return Math.max(0, server.memory() - before) / TURNS;
}

export const server: Row = {
  id: 'server',
  async measure({ root }): Promise<Figure[]> {
    const what = `${TURNS} demo turns at once in one server`;
    if (process.platform !== 'linux') return [skipped(what, 'memory is read from /proc')];
    const { env, folder } = place();
    const blocked = join(folder, 'longest-block');
    const serving = lineServer(root, { ...env, ...watchLoop(blocked) }, TURNS);
    await serving.ask({ op: 'ping' });
    const alone = await speed(serving, ALONE, false);
    const running = speed(serving, TURNS, true);
    const asked = await waits(serving, running);
    const together = await running;
    const memory = (await perSession(serving)) / 2 ** 20;
    await serving.stop();
    const cores = availableParallelism();
    return [
      {
        what: `${what}: events a second`,
        value: together / alone,
        shown: `${together.toFixed(0)}/s`,
        note: `${(together / alone).toFixed(2)} times those of one turn after another, on ${cores} cores`,
      },
      {
        what: `${what}: p99 of a small question’s answer`,
        value: quantile(asked, 0.99),
        shown: ms(quantile(asked, 0.99)),
        note: `median ${ms(quantile(asked, 0.5))}, ${asked.length} questions`,
        most: 250,
        target: '≤ 250 ms',
      },
      {
        what: `${what}: longest block of the event loop`,
        value: longestBlock(blocked),
        shown: ms(longestBlock(blocked)),
        most: 50,
        target: '≤ 50 ms',
      },
      {
        what: 'memory of an idle session in the server',
        value: memory,
        shown: `${memory.toFixed(2)} MiB`,
        most: 1,
        target: '≤ 1 MiB',
      },
    ];
  },
};
