/** `droid.ask_user`: what Droid asks a person (0.225.2). Questions and answers go by an index that begins at 1. */

import type { Answers, AskedQuestion } from '../../src/contract/question.js';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import type { Action } from '../../src/runner/action.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { arr, num, str } from '../../src/text/json.js';
import type { RpcId } from '../../src/text/json-rpc.js';
import { notice } from '../dialects/notice.js';

const UNANSWERED: JsonObject = { cancelled: true, answers: [] };

export interface AskUser {
  asked(id: RpcId, params: JsonObject): Action[];
  answered(key: string, answers: Answers | null): Action[];
  /** Droid no longer waits. */
  resolved(id: string): Action[];
  open(): number;
}

function asAsked(item: Json, place: number): AskedQuestion {
  const header = str(item, 'topic');
  const choices = (arr(item, 'options') ?? []).flatMap((option) => {
    const value = typeof option === 'string' ? option : str(option, 'label');
    return value === undefined ? [] : [{ value }];
  });
  return {
    id: String(num(item, 'index') ?? place + 1),
    question: str(item, 'question') ?? '',
    ...(header === undefined ? {} : { header }),
    ...(choices.length === 0 ? {} : { choices, other: true }),
  };
}

/** @param respond makes the line that answers a request */
export function askUser(request: TurnRequest, respond: (id: RpcId, result: JsonObject) => Action): AskUser {
  const open = new Map<string, { id: RpcId; questions: AskedQuestion[] }>();
  const keyOf = (id: RpcId) => `ask-${id}`;
  return {
    asked(id, params) {
      if (request.questions !== 'stdio') {
        const message = 'Droid asked the user a question; no one is there to answer.';
        return [notice('question-declined', message), respond(id, UNANSWERED)];
      }
      const questions = (arr(params, 'questions') ?? []).map(asAsked);
      open.set(keyOf(id), { id, questions });
      return [{ do: 'inquire', key: keyOf(id), inquiry: { source: 'agent', questions } }];
    },
    answered(key, answers) {
      const one = open.get(key);
      if (!one) return [];
      open.delete(key);
      if (answers === null) return [respond(one.id, UNANSWERED)];
      const told = one.questions.flatMap(({ id, question }): JsonObject[] => {
        const answer = answers[id];
        return answer === undefined || answer === null
          ? []
          : [{ index: Number(id), question, answer: [answer].flat().join(', ') }];
      });
      return [respond(one.id, { cancelled: false, answers: told })];
    },
    resolved: (id) => (open.delete(keyOf(id)) ? [{ do: 'withdraw', key: keyOf(id) }] : []),
    open: () => open.size,
  };
}
