/** Reads what a model's answer says it used: Anthropic Messages, OpenAI Chat and Responses, Gemini; streamed or whole. */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { isObject, num, obj, parseJson, str } from '../../text/json.js';

export interface Used {
  /** Cached ones included. */
  input: number | null;
  output: number | null;
  cached: number | null;
  model: string | null;
}

export interface UsageReader {
  push(text: string): void;
  /** At the end of the answer. */
  end(): Used;
}

/** Longer answers are not held as a whole: a stream is read event by event. */
const MOST_CHARS = 32 * 1024 * 1024;

const most = (before: number | null, now: number | undefined): number | null =>
  now === undefined ? before : Math.max(before ?? 0, now);

function anthropic(usage: JsonObject, used: Used): void {
  const plain = num(usage, 'input_tokens');
  const cached = (num(usage, 'cache_read_input_tokens') ?? 0) + (num(usage, 'cache_creation_input_tokens') ?? 0);
  if (plain !== undefined) used.input = most(used.input, plain + cached);
  used.cached = most(used.cached, num(usage, 'cache_read_input_tokens'));
  used.output = most(used.output, num(usage, 'output_tokens'));
}

function openai(usage: JsonObject, used: Used): void {
  used.input = most(used.input, num(usage, 'prompt_tokens') ?? num(usage, 'input_tokens'));
  used.output = most(used.output, num(usage, 'completion_tokens') ?? num(usage, 'output_tokens'));
  const details = obj(usage, 'prompt_tokens_details') ?? obj(usage, 'input_tokens_details') ?? {};
  used.cached = most(used.cached, num(details, 'cached_tokens'));
}

function gemini(usage: JsonObject, used: Used): void {
  used.input = most(used.input, num(usage, 'promptTokenCount'));
  const output = num(usage, 'candidatesTokenCount');
  if (output !== undefined) used.output = most(used.output, output + (num(usage, 'thoughtsTokenCount') ?? 0));
  used.cached = most(used.cached, num(usage, 'cachedContentTokenCount'));
}

function take(value: Json | undefined, used: Used): void {
  if (Array.isArray(value)) for (const one of value) take(one, used);
  if (!isObject(value)) return;
  // `message` begins a stream of Anthropic's, `response` ends one of OpenAI's Responses.
  for (const inner of [value, obj(value, 'message'), obj(value, 'response')]) {
    if (inner === undefined) continue;
    used.model = str(inner, 'model') ?? str(inner, 'modelVersion') ?? used.model;
    const usage = obj(inner, 'usage');
    const about = obj(inner, 'usageMetadata');
    if (about !== undefined) gemini(about, used);
    if (usage === undefined) continue;
    const isOpenai = 'prompt_tokens' in usage || 'input_tokens_details' in usage;
    (isOpenai ? openai : anthropic)(usage, used);
  }
}

/** @param streamed whether the answer is a stream of server-sent events */
export function usageReader(streamed: boolean): UsageReader {
  const used: Used = { input: null, output: null, cached: null, model: null };
  let rest = '';
  const line = (text: string): void => {
    if (text.startsWith('data:')) take(parseJson(text.slice(5).trim()), used);
  };
  return {
    push(text) {
      rest += text;
      if (streamed) {
        const lines = rest.split('\n');
        rest = lines.pop() ?? '';
        for (const one of lines) line(one);
      }
      if (rest.length > MOST_CHARS) rest = '';
    },
    end() {
      if (streamed) line(rest);
      else take(parseJson(rest), used);
      return used;
    },
  };
}
