/** Guidance for a running turn: a further `user` frame, known to have arrived when the program echoes it. */

import type { JsonObject } from '../../../src/contract/vocabulary.js';
import type { Action } from '../../../src/runner/action.js';
import type { ImageFile } from '../../../src/runner/request.js';
import { arr, bool, str } from '../../../src/text/json.js';
import type { StreamTurn } from './options.js';

export interface Steering {
  /** @returns the frame, or the news that the program takes none */
  give(id: string, text: string): Action[];
  /** A `user` line that repeats what we sent. */
  echo(line: JsonObject): Action[];
  /**
   * Asked at the end of a turn: whether another one follows, for guidance that came too late for this one. Says no when
   * nothing arrived since it was asked last, so that an unrecognized echo can't keep a turn open forever.
   */
  anotherFollows(): boolean;
  /** Whether guidance was sent that has not been acknowledged. */
  waits(): boolean;
  /** Nothing more is taken. */
  close(): Action[];
}

/**
 * The frame of one message to the model.
 * @param commands whether text that begins with a slash may be taken as a command of the program; otherwise a newline
 * in front keeps it text (claude 2.1.332 answers "/help …" by itself and the model never sees it)
 * @param uuid comes back in the `result` of the turn that answers it
 */
export function userFrame(
  text: string,
  commands: boolean,
  images: readonly ImageFile[] = [],
  uuid?: string,
): JsonObject {
  const plain = commands || !text.startsWith('/') ? text : `\n${text}`;
  const pictures = images.map(({ mediaType, data }) => ({
    type: 'image',
    source: { type: 'base64', media_type: mediaType, data },
  }));
  const message = { role: 'user', content: [{ type: 'text', text: plain }, ...pictures] };
  const frame = { type: 'user', message, parent_tool_use_id: null, session_id: '' };
  return uuid === undefined ? frame : { ...frame, uuid };
}

export function steering(turn: StreamTurn): Steering {
  const waiting: { id: string; text: string }[] = [];
  let news = false;
  return {
    give(id, text) {
      if (!turn.steer) return [{ do: 'steered', id, delivered: false }];
      waiting.push({ id, text });
      news = true;
      return [{ do: 'write', line: JSON.stringify(userFrame(text, turn.commands)) }];
    },
    echo(line) {
      if (!bool(line, 'isReplay')) return [];
      const text = str(arr(line, 'message', 'content')?.[0], 'text') ?? str(line, 'message', 'content');
      const index = waiting.findIndex((one) => one.text === text || `\n${one.text}` === text);
      const [taken] = index < 0 ? [] : waiting.splice(index, 1);
      if (taken === undefined) return [];
      news = true;
      return [{ do: 'steered', id: taken.id, delivered: true }];
    },
    anotherFollows() {
      const follows = waiting.length > 0 && news;
      news = false;
      return follows;
    },
    waits: () => waiting.length > 0,
    close: () => waiting.splice(0).map(({ id }) => ({ do: 'steered', id, delivered: false })),
  };
}
