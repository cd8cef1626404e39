/** What the model says and thinks: deltas where they come, whole blocks where they don't, nothing twice. */

import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import type { Action, Say } from '../../../src/runner/action.js';
import { arr, num, obj, str } from '../../../src/text/json.js';
import type { Delta } from './delta-line.js';

type Speech = 'assistant' | 'thinking';
type SaidText = Extract<Say, { type: Speech }>;

interface Message {
  id: string;
  said: boolean;
  /** What of it came in deltas. */
  streamed: Set<Speech>;
  /** It has begun and not ended. */
  open: boolean;
  /** The program threw it away and asks again. */
  lost: boolean;
  /** The message whose text this one repeats. */
  replaces: string | undefined;
}

export interface Texts {
  /** The `event` of a `stream_event` line. */
  event(line: JsonObject): Action[];
  /** The same for a piece of the main agent's text. */
  delta(delta: Delta): Action[];
  /** The text of an `assistant` line, as far as deltas have not already carried it. */
  whole(line: JsonObject): Action[];
  /** The main agent's message begins again under the same id. */
  again(): void;
  /** Id of the model message that is being streamed to the main agent. */
  current(): string | undefined;
  /** Text that may be an error is held back: let it go, or drop it. */
  release(): Action[];
  drop(): void;
}

const main = '';

function speech(block: Json): [Speech, string] | null {
  const kind = str(block, 'type');
  if (kind !== 'text' && kind !== 'thinking') return null;
  return [kind === 'text' ? 'assistant' : 'thinking', str(block, kind) ?? ''];
}

/**
 * @param options.errorText how text that stands for a failure begins; it is held back until the end decides
 * @param options.idPerBlock whole lines give each block its own id, so that only their place identifies the message
 */
export function texts({ errorText, idPerBlock = false }: { errorText?: RegExp; idPerBlock?: boolean }): Texts {
  const messages = new Map<string, Message>();
  const streamed = new Set<string>();
  let held: Action[] = [];
  /** Programs that give a whole message no id say one message a line. */
  let anonymous = 0;

  const release = (): Action[] => {
    const now = held;
    if (now.length > 0) held = [];
    return now;
  };
  const speak = (type: Speech, text: string, message: Message, parent: string): Action[] => {
    if (text === '') return [];
    message.said = true;
    const event: SaidText = { type, text, message_id: message.id };
    if (message.replaces !== undefined) event.replaces = message.replaces;
    if (parent !== main) event.parent_tool_use_id = parent;
    const action: Action = { do: 'say', event };
    const before = release();
    if (!errorText?.test(text)) return before.length === 0 ? [action] : [...before, action];
    held = [action];
    return before;
  };
  /** A message that ended, or was thrown away, before this one: its text is replaced when it was lost. */
  const begin = (id: string, parent: string): Message => {
    const before = messages.get(parent);
    if (before?.id === id) return before;
    const lost = before !== undefined && (before.lost || before.open);
    const replaces = lost ? (before.said ? before.id : before.replaces) : undefined;
    const message: Message = { id, said: false, streamed: new Set(), open: true, lost: false, replaces };
    messages.set(parent, message);
    return message;
  };
  const delta = (type: Speech, text: string, parent: string): Action[] => {
    const message = messages.get(parent);
    if (message === undefined) return [];
    if (!message.streamed.has(type)) {
      message.streamed.add(type);
      streamed.add(`${type} ${message.id}`);
    }
    return speak(type, text, message, parent);
  };

  return {
    event(line) {
      const event = obj(line, 'event') ?? {};
      const parent = str(line, 'parent_tool_use_id') ?? main;
      switch (str(event, 'type')) {
        case 'message_start':
          begin(str(event, 'message', 'id') ?? '', parent);
          return [];
        case 'content_block_delta': {
          const kind = str(event, 'delta', 'type');
          if (kind === 'text_delta') return delta('assistant', str(event, 'delta', 'text') ?? '', parent);
          if (kind === 'thinking_delta') return delta('thinking', str(event, 'delta', 'thinking') ?? '', parent);
          return [];
        }
        case 'message_stop': {
          const message = messages.get(parent);
          if (message === undefined) return [];
          message.open = false;
          // Seen in claude 2.1.332: from block 0 on, nothing of the message stays; from a later one, what came before does.
          if (num(line, 'abandoned_blocks', 'from_block_index') === 0) message.lost = true;
          return [];
        }
        default:
          return [];
      }
    },
    delta: ({ type, text }) => delta(type, text, main),
    whole(line) {
      const id = str(line, 'message', 'id') ?? `line ${++anonymous}`;
      const parent = str(line, 'parent_tool_use_id') ?? main;
      return (arr(line, 'message', 'content') ?? []).flatMap((block) => {
        const spoken = speech(block);
        if (spoken === null) return [];
        const [type, text] = spoken;
        const before = messages.get(parent);
        const told = idPerBlock && before?.open ? before.id : id;
        if (streamed.has(`${type} ${told}`)) return [];
        const message = begin(id, parent);
        // Text that comes whole needs no stop: the next message is not a second try.
        if (message !== before) message.open = false;
        return speak(type, text, message, parent);
      });
    },
    again() {
      const message = messages.get(main);
      if (message?.open && message.said) begin(`${message.id}.again`, main);
    },
    current: () => messages.get(main)?.id,
    release,
    drop() {
      held = [];
    },
  };
}
