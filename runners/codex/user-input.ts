/** `request_user_input`: what codex asks a person, in Plan mode (0.171.0). */

import type { Answers, AskedQuestion } from '../../src/contract/question.js';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import type { Inquiry } from '../../src/runner/action.js';
import { arr, bool, num, str } from '../../src/text/json.js';

function asked(item: Json): AskedQuestion {
  const header = str(item, 'header');
  const choices = (arr(item, 'options') ?? []).map((option) => {
    const description = str(option, 'description');
    return { value: str(option, 'label') ?? '', ...(description === undefined ? {} : { description }) };
  });
  return {
    id: str(item, 'id') ?? '',
    question: str(item, 'question') ?? '',
    ...(header === undefined ? {} : { header }),
    ...(choices.length === 0 ? {} : { choices }),
    ...(bool(item, 'isOther') && choices.length > 0 ? { other: true } : {}),
    ...(bool(item, 'isSecret') ? { secret: true } : {}),
  };
}

/** @param params of `item/tool/requestUserInput` */
export function userInput(params: JsonObject): Inquiry {
  const toolUseId = str(params, 'itemId');
  const timeoutMs = num(params, 'autoResolutionMs');
  return {
    source: 'agent',
    questions: (arr(params, 'questions') ?? []).map(asked),
    ...(toolUseId === undefined ? {} : { toolUseId }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

/** Without an answer codex informs its model. */
export function userAnswers(answers: Answers | null): Json {
  const given = Object.entries(answers ?? {}).flatMap(([id, answer]) =>
    answer === null ? [] : [[id, { answers: [answer].flat() }] as const],
  );
  return { answers: Object.fromEntries(given) };
}
