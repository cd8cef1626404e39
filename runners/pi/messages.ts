/** The assistant's messages: deltas, usage, and text that a retry repeats. */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Say } from '../../src/runner/action.js';
import { arr, num, obj, str } from '../../src/text/json.js';

export interface Messages {
  start(): void;
  update(event: JsonObject): Action[];
  end(message: JsonObject): Action[];
  /** The last message that is complete. */
  last(): JsonObject | null;
  /** pi tries again: the next message repeats the one that broke. */
  retrying(): void;
  peak(): number;
}

/** pi prices by its own table: nothing at all for tokens means that it has no price. */
function spend(usage: JsonObject): Action[] {
  const known = (key: string) => num(usage, key) ?? 0;
  if (known('totalTokens') === 0) return [];
  const cost = num(usage, 'cost', 'total') ?? 0;
  const input = known('input') + known('cacheRead') + known('cacheWrite');
  const spent = { input, output: known('output'), cached: known('cacheRead'), costUsd: cost > 0 ? cost : null };
  return [{ do: 'spend', scope: 'delta', spent }];
}

export function messages(): Messages {
  let count = 0;
  let said = false;
  let last: JsonObject | null = null;
  let replaces: string | undefined;
  let broken: string | undefined;
  let peak = 0;
  const id = () => `m${count}`;
  const say = (type: 'assistant' | 'thinking', text: string): Action[] => {
    if (text === '') return [];
    if (type === 'assistant') said = true;
    const event: Say = { type, text, message_id: id(), ...(replaces === undefined ? {} : { replaces }) };
    return [{ do: 'say', event }];
  };
  return {
    start() {
      count++;
      said = false;
      replaces = broken;
      broken = undefined;
    },
    update(event) {
      switch (str(event, 'type')) {
        case 'text_delta':
          return say('assistant', str(event, 'delta') ?? '');
        case 'thinking_delta':
          return say('thinking', str(event, 'delta') ?? '');
        case 'toolcall_start':
          return [{ do: 'round', id: id() }];
        default:
          return [];
      }
    },
    end(message) {
      last = message;
      const usage = obj(message, 'usage') ?? {};
      peak = Math.max(
        peak,
        (num(usage, 'input') ?? 0) + (num(usage, 'cacheRead') ?? 0) + (num(usage, 'cacheWrite') ?? 0),
      );
      const texts = (arr(message, 'content') ?? []).map((block) =>
        str(block, 'type') === 'text' ? str(block, 'text') : '',
      );
      const isError = str(message, 'stopReason') === 'error' || str(message, 'errorMessage') !== undefined;
      const whole = said || isError ? [] : say('assistant', texts.join(''));
      const model = str(message, 'model');
      return [...whole, ...spend(usage), ...(model === undefined ? [] : [{ do: 'model', id: model } as const])];
    },
    last: () => last,
    retrying() {
      if (said) broken = id();
    },
    peak: () => peak,
  };
}
