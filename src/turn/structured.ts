/**
 * `--output-schema`, for every runtime: the answer is asked for as JSON where the runner does not do that itself, it is
 * always checked, and a wrong one is repaired once, by a second process that goes on with the same session.
 */

import type { Json, JsonObject } from '../contract/vocabulary.js';
import { type AnswerSchema, answerSchema } from '../request/answer-schema.js';
import type { Action, Conversation, Heard, Outcome, Say } from '../runner/action.js';
import type { Machine } from '../runner/machine.js';
import type { TurnRequest } from '../runner/request.js';
import { isRefusal, type Runner } from '../runner/runner.js';
import { jsonAnswer } from '../text/json-answer.js';
import { messages } from './messages.js';

/** Above this the value does not fit into `result`. */
const LARGEST = 800 * 1024;

export interface Answering {
  /** What the runner is asked. */
  request: TurnRequest;
  conversation: Conversation;
}

function ask(schema: JsonObject): string {
  return (
    'Your last message must be one JSON value and nothing else: no words around it, no code fence. ' +
    `It must fit this JSON Schema:\n${JSON.stringify(schema)}`
  );
}

const complaint = (violation: string): string =>
  `Your answer does not fit the JSON Schema: ${violation}. Answer again, with the corrected JSON value and nothing else.`;

/** Without `outputSchema` this is the runner's own conversation. @throws {Error} the schema does not compile */
export async function answering(
  runner: Runner,
  request: TurnRequest,
  machine: Machine,
  living?: JsonObject,
): Promise<Answering> {
  if (request.outputSchema === null) return { request, conversation: runner.converse(request, machine, living) };
  const schema = await answerSchema(request.outputSchema);
  const asked = runner.asksForSchema
    ? request
    : { ...request, prompt: `${request.prompt}\n\n${ask(request.outputSchema)}` };
  return { request: asked, conversation: structured(runner, asked, machine, schema) };
}

/** Ids of a second process may be those of the first again. */
function inRound(said: Say, round: number): Say {
  if (round === 1) return said;
  const own = (id: string) => `r${round}-${id}`;
  const parent = <T extends { parent_tool_use_id?: string | null }>(event: T): T =>
    event.parent_tool_use_id ? { ...event, parent_tool_use_id: own(event.parent_tool_use_id) } : event;
  switch (said.type) {
    case 'assistant':
    case 'thinking':
      return parent({
        ...said,
        message_id: own(said.message_id),
        ...(said.replaces === undefined ? {} : { replaces: own(said.replaces) }),
      });
    case 'tool_activity':
      return said.phase === 'start' ? parent({ ...said, id: own(said.id) }) : { ...said, id: own(said.id) };
    case 'subagent':
      return { ...said, id: own(said.id), tool_use_id: own(said.tool_use_id) };
    case 'session':
    case 'plan':
    case 'notice':
    case 'ready':
      return said;
    default: {
      const never: never = said;
      return never;
    }
  }
}

/** Exported for tests. */
export function structured(runner: Runner, request: TurnRequest, machine: Machine, schema: AnswerSchema): Conversation {
  let current = runner.converse(request, machine);
  let texts = messages();
  let session: string | null = request.resume;
  let round = 1;
  /** The first process is on its way out: what it still says is no part of the answer. */
  let leaving = false;

  const judge = (outcome: Extract<Outcome, { ok: true }>): { value: Json } | { violation: string; text: string } => {
    const text = texts.final()?.text ?? outcome.text ?? '';
    const value = outcome.structured ?? jsonAnswer(text);
    if (value === undefined) return { violation: 'it is not JSON', text };
    const violation = schema.violation(value);
    return violation === null ? { value } : { violation, text: outcome.structured ? JSON.stringify(value) : text };
  };
  const fail = (message: string): Action[] => [
    { do: 'finish', outcome: { ok: false, code: 'output-schema', message } },
  ];
  const repair = (violation: string, text: string): Action[] => {
    round++;
    leaving = true;
    texts = messages();
    const remembers = runner.resume && session !== null;
    const again = complaint(violation);
    const next: TurnRequest = remembers
      ? { ...request, prompt: again, resume: session }
      : { ...request, prompt: `${request.prompt}\n\n[Your answer so far]\n${text}\n\n${again}` };
    const invocation = runner.invoke(next, machine);
    if (isRefusal(invocation)) return fail(`the answer does not fit the schema: ${violation}`);
    current = runner.converse(next, machine);
    return [{ do: 'between' }, { do: 'end-stdin' }, { do: 'spawn', invocation }];
  };
  const finish = (outcome: Outcome): Action[] => {
    if (!outcome.ok) return [{ do: 'finish', outcome }];
    const judged = judge(outcome);
    if ('value' in judged) {
      if (JSON.stringify(judged.value).length > LARGEST) return fail('the answer fits the schema but is too large');
      return [{ do: 'finish', outcome: { ...outcome, structured: judged.value } }];
    }
    if (outcome.stopReason !== 'end_turn') {
      return fail(`the answer does not fit the schema (it ended with ${outcome.stopReason}): ${judged.violation}`);
    }
    if (round > 1) return fail(`the answer does not fit the schema, repaired or not: ${judged.violation}`);
    return repair(judged.violation, judged.text);
  };
  const translate = (action: Action): Action[] => {
    if (action.do === 'finish') return finish(action.outcome);
    if (action.do === 'round') return [{ do: 'round', id: round === 1 ? action.id : `r${round}-${action.id}` }];
    if (action.do !== 'say') return [action];
    const event = inRound(action.event, round);
    if (event.type === 'session') session = event.session_id;
    if (event.type === 'assistant' && event.parent_tool_use_id === undefined) {
      texts.add(event.message_id, event.text, event.replaces);
    }
    return [{ do: 'say', event }];
  };

  return {
    hear(heard: Heard) {
      if (leaving && heard.type !== 'spawned' && heard.type !== 'stop') return [];
      if (heard.type === 'spawned') leaving = false;
      const actions: Action[] = [];
      for (const action of current.hear(heard)) {
        // What a conversation says after its end belongs to nobody.
        if (leaving) break;
        actions.push(...translate(action));
      }
      return actions;
    },
  };
}
