/**
 * What an agent asks a person, as calls of two tools that no request declares: `turnout_approval` and `turnout_question`.
 * Only turns whose caller asked for it (`"turnout":{"approvals":"ask","questions":"ask"}`) ask anything.
 */

import type { Event, PermissionRequestEvent, QuestionEvent, ToolCallEvent } from '../../contract/event.js';
import type { Answers } from '../../contract/question.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import type { Command } from '../../runs/records.js';
import { arr, parseJson, parseObject, str } from '../../text/json.js';
import { invalid } from './failure.js';
import { choiceOf } from './runs/asked.js';

const plain = (event: PermissionRequestEvent | QuestionEvent): JsonObject => {
  const { v: _v, type: _type, id: _id, ...args } = parseObject(JSON.stringify(event)) ?? {};
  return args;
};

/** The call that an event is for whoever runs tools; null for other events. */
export function asCall(event: Event): ToolCallEvent | null {
  if (event.type === 'tool_call') return event;
  if (event.type === 'permission_request')
    return { v: 1, type: 'tool_call', id: event.id, name: 'turnout_approval', args: plain(event) };
  if (event.type === 'question')
    return { v: 1, type: 'tool_call', id: event.id, name: 'turnout_question', args: plain(event) };
  return null;
}

function answersIn(text: string, questions: readonly string[]): Answers {
  const given = parseObject(text);
  // A text alone answers the first question; with several, the others are declined.
  if (given === undefined) return questions[0] === undefined ? {} : { [questions[0]]: text };
  const answers: Answers = {};
  for (const [id, value] of Object.entries(given)) {
    const texts = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : null;
    answers[id] = typeof value === 'string' ? value : texts;
  }
  return answers;
}

/** What the result of a call tells the run. @throws ApiError 400 for a permission that is neither given nor denied */
export function commandFor(call: ToolCallEvent, { text, ok }: { text: string; ok: boolean }): Command {
  if (call.id.startsWith('pr_')) {
    const word = ok ? (str(parseObject(text), 'choice') ?? str(parseJson(text)) ?? text) : 'deny';
    const choice = choiceOf(word.replace(/^allow_/, ''));
    if (choice === null)
      throw invalid(
        'messages',
        'a permission is answered with allow_once, allow_session or deny',
        'invalid_approval_choice',
      );
    return { type: 'approve', choice, request: call.id };
  }
  if (call.id.startsWith('q_')) {
    const questions = (arr(call.args, 'questions') ?? []).map((one) => str(one, 'id') ?? '');
    return { type: 'answer', answers: ok ? answersIn(text, questions) : {}, question: call.id };
  }
  return { type: 'tool_result', call: call.id, ok, result: text };
}
