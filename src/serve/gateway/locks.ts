/** Questions of several parts, answered one by one: an answer may be changed until the last one is there. */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { answersTo, partsOf } from './clarify.js';
import type { Asking } from './method.js';
import { answer, type Open } from './questions.js';
import { CODE, RpcError } from './rpc.js';

export type Locks = Map<string, JsonObject>;

/** Questions that may have answers locked at once; those settled by other means are forgotten with the oldest. */
const MOST = 1000;

export interface Locked {
  status: 'ok' | 'expired';
  /** Parts that have no answer yet. */
  remaining: string[];
}

/** @throws {RpcError} 4002 there is no such part; 4000 its answer is not one */
export async function lock(asking: Asking, open: Open, part: string, given: Json): Promise<Locked> {
  const { asked } = open;
  if (asked.type !== 'question') throw new RpcError(CODE.badParam, 'this question has no parts');
  const { locks, core } = asking.gateway;
  const parts = partsOf(asked).map(({ id }) => id);
  if (!parts.includes(part)) throw new RpcError(CODE.textRequired, `there is no question ${part.slice(0, 80)}`);
  // Whether all that is required is there shows at the end.
  const questions = asked.questions.map(({ required: _, ...rest }) => rest);
  answersTo({ ...asked, questions }, { [part]: given });
  const all = { ...locks.get(open.id), [part]: given };
  const remaining = parts.filter((id) => !Object.hasOwn(all, id));
  locks.set(open.id, all);
  const [oldest] = locks.keys();
  if (locks.size > MOST && oldest !== undefined) locks.delete(oldest);
  if (remaining.length > 0) return { status: 'ok', remaining };
  const settled = await asking.questions.settle(open, () => answer(core, asking.caller, open, { answers: all }));
  locks.delete(open.id);
  return { status: settled ? 'ok' : 'expired', remaining };
}

/** The frames of open questions, as clients get them again, with what was answered so far. */
export const framesOf = (open: readonly Open[], locks: Locks): JsonObject[] =>
  open.map(({ id, method, params }) => {
    const answers = locks.get(id);
    return { id, method, params: answers ? { ...params, answers } : params };
  });
