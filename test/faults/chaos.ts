/**
 * Servers that are killed at random points under eight callers. What a caller was told is written down here and compared
 * with what the next server says. Judged from outside: over the socket, and by the processes that are left.
 */

import { join } from 'node:path';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { obj } from '../../src/text/json.js';
import { leftovers, type Place, place, run } from '../contract/cli.js';
import { type Server, serve } from '../serve/server.js';
import { type Lines, lines } from './lines.js';
import type { Dice } from './random.js';

/** What can go wrong, by the name of its check. */
export const CHECKS = {
  'entries that were told are kept': 'lost',
  'numbers are not given again': 'reused',
  'every log has one end, its last entry': 'endless',
  'every run is over after a crash': 'open',
  'results that were told stay as they are': 'changed',
  'keys give the same run': 'keys',
  'nothing of a killed server lives on': 'orphans',
  'a killed server leaves a store that can be opened': 'starts',
} as const;
export type Fault = (typeof CHECKS)[keyof typeof CHECKS];

export interface Tally {
  kills: number;
  runs: number;
  entries: number;
  keys: number;
  faults: Map<Fault, string[]>;
}

/** What the callers of one server were told of one run. */
interface Told {
  request: JsonObject;
  /** Each entry by its number. */
  entries: Map<number, string>;
  status: unknown;
}

const PROMPTS = ['long', 'long', 'slow 30', 'say hi', 'hang', 'ask', 'shell ls'] as const;
const CALLERS = 8;

function requestOf(dice: Dice, key: string): JsonObject {
  const prompt = dice.pick(PROMPTS);
  // Nobody would ever answer them.
  const endless = prompt === 'hang' || prompt === 'ask';
  return {
    op: 'exec',
    runtime: 'demo',
    prompt,
    idempotency_key: key,
    ...(prompt === 'ask' ? { approvals: 'ask' } : {}),
    ...(endless || dice.below(4) === 0 ? { detach: true } : {}),
  };
}

/** Writes down what a line says of a run. */
function note(told: Map<string, Told>, request: JsonObject, id: string, line: JsonObject): void {
  const run = told.get(id) ?? { request, entries: new Map<number, string>(), status: null };
  told.set(id, run);
  if (line['kind'] === 'event') run.entries.set(Number(line['seq']), JSON.stringify(line['event']));
  if (line['kind'] === 'result') run.status = line['status'];
}

/** Asks for turns, and watches detached ones, until the server is gone. */
async function caller(path: string, dice: Dice, told: Map<string, Told>, name: string): Promise<void> {
  const talk = lines(path);
  let id = '';
  for (let n = 0; ; n++) {
    const request = requestOf(dice, `${name}.${n}`);
    talk.send(request);
    let line = await talk.next();
    for (; line !== null && line['kind'] !== 'done'; line = await talk.next()) {
      if (typeof line['run_id'] === 'string') id = line['run_id'];
      note(told, request, id, line);
    }
    if (line === null) break;
    if (request['detach'] !== true || dice.below(2) === 0) continue;
    talk.send({ op: 'events', run_id: id, follow: true });
    for (line = await talk.next(); line !== null && line['kind'] !== 'done'; line = await talk.next())
      if (line['kind'] === 'event') note(told, request, id, line);
    if (line === null) break;
  }
  talk.close();
}

const OVER = new Set(['completed', 'failed', 'cancelled', 'interrupted']);
const isEnd = (json: string): boolean => json.includes('"type":"done"');

interface Kept {
  entries: Map<number, string>;
  status: unknown;
}

async function kept(talk: Lines, id: string, since = 0): Promise<Kept> {
  const answer = await talk.ask({ op: 'events', run_id: id, since });
  const entries = new Map<number, string>();
  for (const line of answer)
    if (line['kind'] === 'event') entries.set(Number(line['seq']), JSON.stringify(line['event']));
  return { entries, status: answer.find((line) => line['kind'] === 'result')?.['status'] };
}

export interface Chaos {
  readonly tally: Tally;
  /** One server, its end, and a look at what it left. */
  round(dice: Dice): Promise<void>;
  end(): Promise<void>;
}

export function chaos(where: Place = place()): Chaos {
  const tally: Tally = { kills: 0, runs: 0, entries: 0, keys: 0, faults: new Map() };
  let told = new Map<string, Told>();
  let rounds = 0;
  let server: Server | null = null;

  function fault(what: Fault, words: string): void {
    tally.faults.set(what, [...(tally.faults.get(what) ?? []), `round ${rounds}: ${words}`]);
  }
  const socket = () => join(where.cwd, `s${rounds}.sock`);

  async function checkRun(talk: Lines, id: string, { request, entries, status }: Told): Promise<void> {
    const now = await kept(talk, id);
    for (const [seq, json] of entries) {
      const found = now.entries.get(seq);
      if (found === undefined) fault('lost', `entry ${seq} of ${id}: ${json.slice(0, 120)}`);
      else if (found !== json)
        fault('reused', `entry ${seq} of ${id}: ${json.slice(0, 80)} became ${found.slice(0, 80)}`);
    }
    const numbers = [...now.entries.keys()];
    if (numbers.some((seq, index) => seq !== index + 1)) fault('endless', `${id} has the numbers ${numbers.join(' ')}`);
    const ends = [...now.entries.values()].map(isEnd);
    if (ends.indexOf(true) !== ends.length - 1) fault('endless', `${id} (${now.status}) has ${ends.length} entries`);
    if (!OVER.has(String(now.status))) fault('open', `${id} is ${now.status}`);
    if (OVER.has(String(status)) && now.status !== status) fault('changed', `${id} was ${status} and is ${now.status}`);
    const last = Math.max(0, ...entries.keys());
    const rest = await kept(talk, id, last);
    if (rest.entries.size !== now.entries.size - last)
      fault('lost', `${id} after ${last}: ${rest.entries.size} entries`);
    const again = await talk.ask({ ...request, detach: true });
    const result = again.find((line) => line['kind'] === 'result');
    if (result?.['run_id'] !== id || result['replayed'] !== true)
      fault(
        'keys',
        `${String(request['idempotency_key'])} of ${id} gave ${JSON.stringify(result ?? again).slice(0, 200)}`,
      );
    tally.runs += 1;
    tally.keys += 1;
    tally.entries += entries.size;
  }

  /** What the last server's callers were told, against what this one says. */
  async function check(at: string): Promise<void> {
    const talk = lines(at);
    for (const status of ['queued', 'running', 'waiting_for_approval', 'stopping']) {
      const answer = await talk.ask({ op: 'runs', status });
      const runs = answer.find((line) => line['kind'] === 'result')?.['runs'];
      for (const one of Array.isArray(runs) ? runs : [])
        fault('open', `${JSON.stringify(one).slice(0, 80)} is ${status}`);
    }
    for (const [id, one] of told) await checkRun(talk, id, one);
    told = new Map();
    talk.close();
  }

  async function start(): Promise<Server | null> {
    try {
      return await serve(['--transport', 'unix', '--socket', socket()], where);
    } catch (error) {
      fault('starts', error instanceof Error ? error.message : String(error));
      return null;
    }
  }
  async function gone(): Promise<void> {
    tally.kills += 1;
    const left = await leftovers(where.mark);
    if (left.length > 0) fault('orphans', `processes ${left.join(', ')}`);
  }

  return {
    tally,
    async round(dice) {
      rounds += 1;
      // One in eight dies while it opens the store, which the one before it left to be recovered.
      if (dice.below(8) === 0) {
        const early = run(['agent', 'serve', '--transport', 'unix', '--socket', socket()], { place: where });
        await new Promise((resolve) => setTimeout(resolve, dice.below(500)));
        early.child.kill('SIGKILL');
        await early.ended;
        return gone();
      }
      server = await start();
      if (!server) return gone();
      await check(server.at);
      const at = server.at;
      const names = Array.from({ length: CALLERS }, (_, n) => `${rounds}.${n}`);
      const callers = names.map((name) => caller(at, dice, told, name));
      await new Promise((resolve) => setTimeout(resolve, 100 + dice.below(1500)));
      server.running.child.kill('SIGKILL');
      await server.running.ended;
      server = null;
      await Promise.all(callers);
      await gone();
    },
    /** The last server's callers are checked too, and the store as a whole. */
    async end() {
      rounds += 1;
      server = await start();
      if (!server) return;
      await check(server.at);
      const { code } = await server.stop();
      if (code !== 0) fault('starts', `the last server ended with ${code}`);
      const looked = run(['store', 'check', '--json'], { place: where, stdin: 'closed' });
      const [line] = (await looked.ended).events;
      if (line?.['ok'] !== true) fault('starts', JSON.stringify(obj({ line: line ?? {} }, 'line')?.['problems']));
    },
  };
}
