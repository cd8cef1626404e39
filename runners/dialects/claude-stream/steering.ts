/** Guidance for a running turn: a further `user` frame, known to have arrived when the program echoes it. */

import type { JsonObject } from '../../../src/contract/vocabulary.js';
import type { Action } from '../../../src/runner/action.js';
import { arr, bool, str } from '../../../src/text/json.js';

export interface Steering {
  /** @returns the frame, or the news that the program takes none */
  give(id: string, text: string): Action[];
  /** A `user` line that repeats what we sent. */
  echo(line: JsonObject): Action[];
  /** Some of it has not reached the model: the program will run it as a turn of its own. */
  waiting(): boolean;
  /** The turn is over. */
  close(): Action[];
}

/** The frame of one message to the model. */
export function userFrame(text: string): JsonObject {
  const message = { role: 'user', content: [{ type: 'text', text }] };
  return { type: 'user', message, parent_tool_use_id: null, session_id: '' };
}

/** @param supported whether the program takes a frame while it works */
export function steering(supported: boolean): Steering {
  const waiting: { id: string; text: string }[] = [];
  return {
    give(id, text) {
      if (!supported) return [{ do: 'steered', id, delivered: false }];
      waiting.push({ id, text });
      return [{ do: 'write', line: JSON.stringify(userFrame(text)) }];
    },
    echo(line) {
      if (!bool(line, 'isReplay')) return [];
      const text = str(arr(line, 'message', 'content')?.[0], 'text') ?? str(line, 'message', 'content');
      const index = waiting.findIndex((one) => one.text === text);
      const [taken] = index < 0 ? [] : waiting.splice(index, 1);
      return taken === undefined ? [] : [{ do: 'steered', id: taken.id, delivered: true }];
    },
    waiting: () => waiting.length > 0,
    close: () => waiting.splice(0).map(({ id }) => ({ do: 'steered', id, delivered: false })),
  };
}
