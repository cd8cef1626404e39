/** `POST /v1/responses`: the request. */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { answerSchema } from './answer-schema.js';
import type { Ask } from './ask.js';
import { effortOf } from './chat-request.js';
import { invalid } from './failure.js';
import { type ModelRules, readModel, unnamed } from './model-name.js';
import { ownOptions } from './own-options.js';
import { flag, list, metadata, object, text, whole } from './reading.js';
import { type FindItem, readItems } from './response-items.js';
import { asFunctions } from './response-tools.js';
import { spelling } from './spelling.js';
import { readTools } from './tool-choice.js';

export interface ResponseRequest {
  ask: Ask;
  stream: boolean;
  background: boolean;
  store: boolean;
  /** The response that this one follows. */
  previous: string | undefined;
  /** The name of a conversation, whose newest response this one follows. */
  conversation: string | undefined;
  /** What the response repeats of its request. */
  echo: JsonObject;
}

const SPELLING = spelling({
  keys: { effort: 'reasoning.effort', maxTurns: 'max_tool_calls', prompt: 'input' },
  tools: (inner) => inner.map((step) => (step === 'schema' ? 'parameters' : step)),
  schema: ['text', 'format', 'schema'],
});

function schemaOf(body: JsonObject): JsonObject | null {
  const format = object(object(body, 'text') ?? {}, 'format', 'text');
  return answerSchema(format, 'text.format', SPELLING, () => format?.['schema']);
}

function conversationOf(body: JsonObject): string | undefined {
  const given = body['conversation'];
  const name = typeof given === 'string' ? given : text(object(body, 'conversation') ?? {}, 'id', 'conversation');
  if (name !== undefined && !/^[\w.:@/-]{1,256}$/.test(name)) throw invalid('conversation', 'expected a name');
  return name;
}

/** Every response has these fields; the SDKs rely on it. */
function echoed(
  body: JsonObject,
  pairs: Readonly<Record<string, string>>,
  store: boolean,
  background: boolean,
): JsonObject {
  const or = (key: string, value: Json): Json => body[key] ?? value;
  const reasoning = object(body, 'reasoning') ?? {};
  return {
    instructions: or('instructions', null),
    metadata: { ...pairs },
    parallel_tool_calls: or('parallel_tool_calls', true),
    temperature: or('temperature', null),
    tool_choice: or('tool_choice', 'auto'),
    tools: or('tools', []),
    top_p: or('top_p', null),
    previous_response_id: or('previous_response_id', null),
    max_output_tokens: or('max_output_tokens', null),
    reasoning: { effort: reasoning['effort'] ?? null, summary: reasoning['summary'] ?? null },
    text: { format: object(object(body, 'text') ?? {}, 'format', 'text') ?? { type: 'text' } },
    truncation: or('truncation', 'disabled'),
    store,
    user: or('user', null),
    background,
  };
}

/** @param activity the header `X-Turnout-Activity` @throws ApiError 400, 404 @throws UsageError */
export async function readResponse(
  body: JsonObject,
  { rules, activity, find }: { rules: ModelRules; activity: string | undefined; find: FindItem },
): Promise<ResponseRequest> {
  const model = readModel(text(body, 'model') ?? unnamed(rules), rules);
  const { system, messages } = await readItems(body['input'], find);
  const instructions = text(body, 'instructions');
  if (instructions !== undefined && instructions !== '') system.unshift(instructions);
  const declared = { ...body, tools: asFunctions(list(body, 'tools') ?? []) };
  const { tools, instruction } = readTools(declared, SPELLING, (tool) => tool);
  if (instruction !== null) system.push(instruction);
  const previous = text(body, 'previous_response_id');
  const conversation = conversationOf(body);
  if (previous !== undefined && conversation !== undefined)
    throw invalid('conversation', 'has no meaning beside previous_response_id');
  const store = flag(body, 'store') ?? true;
  const background = flag(body, 'background') ?? false;
  if (background && !store) throw invalid('background', 'needs store, since the response is fetched later');
  const pairs = metadata(body) ?? {};
  const own = ownOptions(body, activity);
  return {
    ask: {
      model,
      system: system.length === 0 ? null : system.join('\n\n'),
      messages,
      tools,
      parallel: flag(body, 'parallel_tool_calls') ?? true,
      effort: effortOf(text(object(body, 'reasoning') ?? {}, 'effort', 'reasoning'), 'reasoning.effort'),
      maxTurns: whole(body, 'max_tool_calls') ?? null,
      schema: schemaOf(body),
      metadata: conversation === undefined ? pairs : { ...pairs, [CONVERSATION]: conversation },
      own: { ...own, detach: own.detach || background },
      spelling: SPELLING,
    },
    stream: flag(body, 'stream') ?? false,
    background,
    store,
    previous,
    conversation,
    echo: echoed(body, pairs, store, background),
  };
}

/** The name of a conversation, among the metadata of its session. */
export const CONVERSATION = 'turnout.conversation';
