/** What the program asks a person: by its own tool, and on behalf of an MCP server (claude 2.1.332). */

import type { Answers, AskedQuestion } from '../../../src/contract/question.js';
import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import type { Action } from '../../../src/runner/action.js';
import { arr, bool, str } from '../../../src/text/json.js';
import { elicited } from '../elicitation.js';

export const ASK_TOOL = 'AskUserQuestion';
const UNANSWERED = 'The user did not answer. Decide by yourself.';

/** Makes the line that answers a request of the program. */
type Respond = (id: string, response: JsonObject) => Action;

export interface PersonQuestions {
  /** A call of the tool that asks. */
  tool(id: string, input: JsonObject, toolUseId: string | undefined): Action[];
  /** `elicitation` of an MCP server. */
  elicit(id: string, request: JsonObject): Action[];
  answered(id: string, answers: Answers | null): Action[];
  cancelled(id: string): boolean;
  open(): number;
}

function asAsked(item: Json, index: number): AskedQuestion {
  const header = str(item, 'header');
  const choices = (arr(item, 'options') ?? []).map((option) => {
    const description = str(option, 'description');
    return { value: str(option, 'label') ?? '', ...(description === undefined ? {} : { description }) };
  });
  return {
    id: `q${index}`,
    question: str(item, 'question') ?? '',
    ...(header === undefined ? {} : { header }),
    ...(choices.length === 0 ? {} : { choices, other: true }),
    ...(bool(item, 'multiSelect') ? { multi_select: true } : {}),
  };
}

export function personQuestions(respond: Respond): PersonQuestions {
  const open = new Map<string, (answers: Answers | null) => JsonObject>();
  return {
    tool(id, input, toolUseId) {
      const questions = (arr(input, 'questions') ?? []).map(asAsked);
      const byText = new Map(questions.map((one) => [one.question, one.id]));
      const denied = { behavior: 'deny', message: UNANSWERED };
      // Its answers go by the text of the question.
      if (byText.size < questions.length) return [respond(id, denied)];
      open.set(id, (answers) => {
        if (answers === null) return denied;
        const told = [...byText].flatMap(([text, name]) => {
          const answer = answers[name];
          return answer === undefined || answer === null ? [] : [[text, [answer].flat().join(', ')] as const];
        });
        return { behavior: 'allow', updatedInput: { ...input, answers: Object.fromEntries(told) } };
      });
      const about = toolUseId === undefined ? {} : { toolUseId };
      return [{ do: 'inquire', key: id, inquiry: { ...about, source: 'agent', questions } }];
    },
    elicit(id, request) {
      const { requested_schema: requestedSchema = null, ...rest } = request;
      const asked = elicited({ ...rest, ...(requestedSchema === null ? {} : { requestedSchema }) }, 'mcp');
      if (asked === null) return [respond(id, { action: 'decline' })];
      open.set(id, (answers): JsonObject => {
        const content = answers === null ? null : asked.content(answers);
        return content === null ? { action: 'decline' } : { action: 'accept', content };
      });
      return [{ do: 'inquire', key: id, inquiry: asked.inquiry }];
    },
    answered(id, answers) {
      const reply = open.get(id);
      if (!reply) return [];
      open.delete(id);
      return [respond(id, reply(answers))];
    },
    cancelled: (id) => open.delete(id),
    open: () => open.size,
  };
}
