/** `POST /v1/messages`: the request. */

import type { JsonObject } from '../../../contract/vocabulary.js';
import { place } from '../../../request/place.js';
import { readValue } from '../../../request/read-value.js';
import { answerSchema } from '../answer-schema.js';
import type { Ask } from '../ask.js';
import { effortOf } from '../chat-request.js';
import { invalid } from '../failure.js';
import { type ModelRules, readModel, unnamed } from '../model-name.js';
import { ownOptions } from '../own-options.js';
import { entry, flag, list, object, text } from '../reading.js';
import { spelling } from '../spelling.js';
import type { Tools } from '../tool-choice.js';
import { readMessages } from './content.js';

export interface MessagesRequest {
  ask: Ask;
  stream: boolean;
  /** What the agent thinks is wanted, too. */
  thinking: boolean;
}

const SPELLING = spelling({
  keys: { effort: 'output_config.effort', prompt: 'messages' },
  tools: (inner) => inner.map((step) => (step === 'schema' ? 'input_schema' : step)),
  schema: ['output_config', 'format', 'schema'],
});

function readTools(body: JsonObject): Tools & { parallel: boolean } {
  const given = list(body, 'tools') ?? [];
  const choice = object(body, 'tool_choice') ?? {};
  const type = text(choice, 'type', 'tool_choice') ?? 'auto';
  const parallel = !(flag(choice, 'disable_parallel_tool_use', 'tool_choice') ?? false);
  const said: Readonly<Record<string, string | null>> = {
    auto: null,
    none: null,
    any: 'Call at least one of the given tools before you answer.',
    tool: `Call the tool ${text(choice, 'name', 'tool_choice') ?? ''} before you answer.`,
  };
  const instruction = said[type];
  if (instruction === undefined) throw invalid('tool_choice.type', 'expected auto, any, tool or none');
  if (type === 'none' || given.length === 0) return { tools: [], instruction: null, parallel };
  const declared = given.map((one, index) => {
    const at = `tools[${index}]`;
    const tool = entry(one, at);
    const kind = text(tool, 'type', at) ?? 'custom';
    if (kind !== 'custom') throw invalid(`${at}.type`, `a tool of type ${kind} is the vendor's; give your own`);
    const { name, description, input_schema } = tool;
    return {
      name: name ?? null,
      description: description ?? '',
      ...(input_schema === undefined || input_schema === null ? {} : { schema: input_schema }),
    };
  });
  const tools = readValue('tools', declared, place(SPELLING, ['tools']), 'json') ?? [];
  return { tools, instruction, parallel };
}

function schemaOf(body: JsonObject): JsonObject | null {
  const config = object(body, 'output_config') ?? {};
  const format = object(config, 'format', 'output_config') ?? object(body, 'output_format');
  return answerSchema(format, 'output_config.format', SPELLING, () => format?.['schema']);
}

/** @param activity the header `X-Turnout-Activity` @throws ApiError 400, 404 @throws UsageError */
export function readRequest(body: JsonObject, rules: ModelRules, activity: string | undefined): MessagesRequest {
  const model = readModel(text(body, 'model') ?? unnamed(rules), { ...rules, usual: 'chat' });
  const { system, messages } = readMessages(body);
  const { tools, instruction, parallel } = readTools(body);
  if (instruction !== null) system.push(instruction);
  const thinking = text(object(body, 'thinking') ?? {}, 'type', 'thinking') ?? 'disabled';
  const effort = text(object(body, 'output_config') ?? {}, 'effort', 'output_config');
  return {
    ask: {
      model,
      system: system.length === 0 ? null : system.join('\n\n'),
      messages,
      tools,
      parallel,
      effort: effortOf(effort, 'output_config.effort'),
      maxTurns: null,
      schema: schemaOf(body),
      metadata: {},
      own: ownOptions(body, activity),
      spelling: SPELLING,
    },
    stream: flag(body, 'stream') ?? false,
    thinking: thinking !== 'disabled',
  };
}
