/** One caller with many turns and one with few, on the same workers: how long the few wait. */

import type { Event } from '../../src/contract/event.js';
import type { TurnPlan } from '../../src/runs/plan.js';
import type { Caller } from '../../src/runs/ports.js';
import { named } from '../runs/conformance/worlds.js';
import { done, plan, says, start } from '../runs/fake-turn.js';
import { freshName, member } from './world.js';

/** Milliseconds that a turn takes: far less than any real one. */
const TURN_MS = 1000;
const PLACES = 8;
/** Requests of the caller with many that are under way at once. */
const AT_ONCE = 50;

export interface Waits {
  /** How long the slowest of 95 % of the few waited, in turns. */
  p95: number;
  /** How many of the many had ended by then. */
  before: number;
}

export async function fairness(url: string, many: number, few: number): Promise<Waits> {
  const name = freshName();
  const began = new Map<string, number>();
  let ended = 0;
  let before = 0;
  let first = 0;
  const begin = ({ request }: TurnPlan, emit: (event: Event) => void) => {
    began.set(request.prompt, Date.now());
    emit(start);
    emit(says('working'));
    const over = new Promise<number>((resolve) => {
      setTimeout(() => {
        if (request.prompt.startsWith('b')) before = ended - first;
        else ended += 1;
        emit(done());
        resolve(0);
      }, TURN_MS);
    });
    const nothing = () => {};
    return { frame: nothing, stdinClosed: nothing, cancel: nothing, pause: nothing, resume: nothing, done: over };
  };
  const core = await member(url, name, begin, { concurrency: PLACES });
  const other = await member(url, name, begin, { role: 'worker', concurrency: PLACES });
  const submit = async (caller: Caller, prompt: string) =>
    core.runs.start({ caller, plan: plan(prompt), conversation: { kind: 'new' }, attended: false });
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < many) await submit(named('a'), `a${next++}`);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  const asked = Date.now();
  first = ended;
  const waiting = await Promise.all(Array.from({ length: few }, (_, index) => submit(named('b'), `b${index}`)));
  for (const { run } of waiting) await core.runs.ended(run.run_id, named('b'));
  const waits = waiting.map((_, index) => (began.get(`b${index}`) ?? Number.POSITIVE_INFINITY) - asked);
  waits.sort((a, b) => a - b);
  await Promise.all([core.drain(), other.drain()]);
  await core.close();
  await other.close();
  const at = waits[Math.ceil(0.95 * waits.length) - 1] ?? Number.POSITIVE_INFINITY;
  return { p95: at / TURN_MS, before };
}
