/** `POST /v1/chat/completions`: the request. */

import { EFFORTS, type Effort, type Json, type JsonObject } from '../../contract/vocabulary.js';
import { answerSchema } from './answer-schema.js';
import type { Ask } from './ask.js';
import { type Content, content } from './content.js';
import { invalid } from './failure.js';
import { imageAt, unsupported } from './images.js';
import { type ModelRules, readModel, unnamed } from './model-name.js';
import { ownOptions } from './own-options.js';
import { entry, flag, list, metadata, object, text, whole } from './reading.js';
import type { CallSaid, Said } from './said.js';
import { spelling } from './spelling.js';
import { readTools } from './tool-choice.js';

export interface ChatRequest {
  ask: Ask;
  stream: boolean;
  /** A last chunk with the usage is wanted. */
  usage: boolean;
}

/** Where the options of a turn stand in this API. */
const SPELLING = spelling({
  keys: { effort: 'reasoning_effort', prompt: 'messages' },
  tools([index, ...rest]) {
    if (index === undefined) return [];
    const renamed = rest.map((step, depth) => (depth === 0 && step === 'schema' ? 'parameters' : step));
    return [index, ...(renamed.length > 0 ? ['function', ...renamed] : [])];
  },
  schema: ['response_format', 'json_schema', 'schema'],
});

function part(value: Json, at: string): Content {
  const given = entry(value, at);
  const type = text(given, 'type', at);
  switch (type) {
    case 'text':
      return { text: text(given, 'text', at) ?? '', images: [] };
    case 'refusal':
      return { text: text(given, 'refusal', at) ?? '', images: [] };
    case 'image_url': {
      const image = given['image_url'];
      const url =
        typeof image === 'string' ? image : text(object(given, 'image_url', at) ?? {}, 'url', `${at}.image_url`);
      if (url === undefined) throw invalid(`${at}.image_url.url`, 'is missing', 'missing_value');
      return { text: '', images: [imageAt(url, `${at}.image_url.url`)] };
    }
    default:
      throw unsupported(at.replace(/\[\d+\]$/, ''), `parts of type ${JSON.stringify(type ?? null)} are not taken`);
  }
}

function calls(message: JsonObject, at: string): CallSaid[] {
  return (list(message, 'tool_calls', at) ?? []).map((one, index) => {
    const here = `${at}.tool_calls[${index}]`;
    const call = entry(one, here);
    const target = object(call, 'function', here) ?? {};
    return {
      id: text(call, 'id', here) ?? '',
      name: text(target, 'name', `${here}.function`) ?? '',
      arguments: text(target, 'arguments', `${here}.function`) ?? '{}',
    };
  });
}

/** System messages are instructions wherever they stand; the rest is the conversation. */
function conversation(body: JsonObject): { system: string[]; messages: Said[] } {
  const given = list(body, 'messages');
  if (given === undefined || given.length === 0)
    throw invalid('messages', 'expected at least one message', 'missing_value');
  const system: string[] = [];
  const messages: Said[] = [];
  given.forEach((one, index) => {
    const at = `messages[${index}]`;
    const message = entry(one, at);
    const said = content(message['content'], `${at}.content`, part);
    const role = text(message, 'role', at);
    const plain = { ...said, calls: [], callId: null };
    switch (role) {
      case 'system':
      case 'developer':
        if (said.text !== '') system.push(said.text);
        return;
      case 'user':
        messages.push({ role, ...plain });
        return;
      case 'assistant':
        messages.push({ role, ...plain, calls: calls(message, at) });
        return;
      case 'tool':
      case 'function':
        messages.push({ role: 'tool', ...plain, callId: text(message, 'tool_call_id', at) ?? '' });
        return;
      default:
        throw invalid(`${at}.role`, 'expected system, developer, user, assistant or tool');
    }
  });
  const last = messages.at(-1);
  if (!last || last.role === 'assistant')
    throw invalid('messages', 'the last message is from the user, or a tool result');
  if (last.role === 'user' && last.text.trim() === '' && last.images.length === 0)
    throw invalid(`messages[${given.length - 1}].content`, 'expected a text that is not empty', 'missing_value');
  return { system, messages };
}

function schemaOf(body: JsonObject): JsonObject | null {
  const format = object(body, 'response_format');
  const named = () => object(format ?? {}, 'json_schema', 'response_format')?.['schema'];
  return answerSchema(format, 'response_format', SPELLING, named);
}

const NEAREST: Readonly<Record<string, Effort>> = { none: 'off', minimal: 'low' };

/** @param path of the field, in the API's own spelling */
export function effortOf(given: string | undefined, path: string): Effort | null {
  if (given === undefined) return null;
  const found = NEAREST[given] ?? EFFORTS.find((one) => one === given);
  if (found !== undefined) return found;
  throw invalid(path, `expected one of none, minimal, ${EFFORTS.join(', ')}`);
}

/** @param activity the header `X-Turnout-Activity` @throws ApiError 400, 404 @throws UsageError */
export function readChat(body: JsonObject, rules: ModelRules, activity: string | undefined): ChatRequest {
  const model = readModel(text(body, 'model') ?? unnamed(rules), rules);
  const { system, messages } = conversation(body);
  if ((whole(body, 'n') ?? 1) !== 1)
    throw invalid('n', 'one choice is made at a time; send the request again for another');
  const { tools, instruction } = readTools(body, SPELLING, (tool, at) => {
    return object(tool, 'function', at) ?? {};
  });
  if (instruction !== null) system.push(instruction);
  const streaming = object(body, 'stream_options');
  return {
    ask: {
      model,
      system: system.length === 0 ? null : system.join('\n\n'),
      messages,
      tools,
      parallel: flag(body, 'parallel_tool_calls') ?? true,
      effort: effortOf(text(body, 'reasoning_effort'), 'reasoning_effort'),
      maxTurns: null,
      schema: schemaOf(body),
      metadata: metadata(body) ?? {},
      own: ownOptions(body, activity),
      spelling: SPELLING,
    },
    stream: flag(body, 'stream') ?? false,
    usage: flag(streaming ?? {}, 'include_usage', 'stream_options') ?? false,
  };
}
