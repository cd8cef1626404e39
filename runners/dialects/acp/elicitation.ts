/** `elicitation/create` of an ACP agent: a question to the person, which only clients that can answer are asked. */

import type { Answers } from '../../../src/contract/question.js';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import type { Action } from '../../../src/runner/action.js';
import { str } from '../../../src/text/json.js';
import type { RpcId } from '../../../src/text/json-rpc.js';
import { type Elicited, elicited } from '../elicitation.js';
import { type Talk, write } from './talk.js';

export interface Elicitations {
  ask(id: RpcId, params: JsonObject): Action[];
  answered(key: string, answers: Answers | null): Action[];
  /** The agent no longer waits. */
  cancelled(id: RpcId): Action[];
  /** Declines everything that is open. */
  stop(): Action[];
  open(): number;
}

export function elicitations(talk: Talk): Elicitations {
  const open = new Map<string, { id: RpcId; asked: Elicited }>();
  const keyOf = (id: RpcId) => `elicit-${typeof id}-${id}`;
  const reply = (id: RpcId, result: JsonObject) => write(talk.rpc.reply(id, result));
  return {
    ask(id, params) {
      const asked = elicited(params, 'agent', str(params, 'toolCallId'));
      if (asked === null) return [reply(id, { action: 'decline' })];
      open.set(keyOf(id), { id, asked });
      return [{ do: 'inquire', key: keyOf(id), inquiry: asked.inquiry }];
    },
    answered(key, answers) {
      const one = open.get(key);
      if (!one) return [];
      open.delete(key);
      const content = answers === null ? null : one.asked.content(answers);
      return [reply(one.id, content === null ? { action: 'decline' } : { action: 'accept', content })];
    },
    cancelled: (id) => (open.delete(keyOf(id)) ? [{ do: 'withdraw', key: keyOf(id) }] : []),
    stop() {
      const all = [...open.values()];
      open.clear();
      return all.map(({ id }) => reply(id, { action: 'cancel' }));
    },
    open: () => open.size,
  };
}
