/** Text and thinking of the main agent: deltas while they come, whole messages where none came. */

import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import type { Say } from '../../src/runner/action.js';
import { arr, str } from '../../src/text/json.js';

type Kind = 'assistant' | 'thinking';
/** Reasoning comes as a summary in parts, or raw. */
type Source = 'summary' | 'raw';

interface Message {
  kind: Kind;
  said: boolean;
  source: Source | null;
  part: number;
  replaces: string | undefined;
}

export interface Texts {
  assistant(id: string, delta: string): Say[];
  thinking(id: string, delta: string, source: Source, part: number): Say[];
  /** A message or a piece of reasoning is complete. */
  completed(item: JsonObject): Say[];
  /** The stream broke: what is not complete comes again under other ids. */
  broken(): void;
  /** A model call is over: nothing will be repeated any more. */
  settled(): void;
}

const strings = (list: Json[] | undefined) => (list ?? []).filter((one) => typeof one === 'string');

export function texts(): Texts {
  const open = new Map<string, Message>();
  const orphans: Record<Kind, string | undefined> = { assistant: undefined, thinking: undefined };

  const message = (id: string, kind: Kind): Message => {
    const known = open.get(id);
    if (known) return known;
    const fresh: Message = { kind, said: false, source: null, part: 0, replaces: orphans[kind] };
    orphans[kind] = undefined;
    open.set(id, fresh);
    return fresh;
  };
  const say = (id: string, one: Message, text: string): Say[] => {
    if (text === '') return [];
    one.said = true;
    return [
      { type: one.kind, text, message_id: id, ...(one.replaces === undefined ? {} : { replaces: one.replaces }) },
    ];
  };

  return {
    assistant: (id, delta) => say(id, message(id, 'assistant'), delta),
    thinking(id, delta, source, part) {
      const one = message(id, 'thinking');
      one.source ??= source;
      // The same thoughts may come twice, summed up and raw: the form that came first is shown.
      if (one.source !== source) return [];
      const gap = one.said && part !== one.part ? '\n\n' : '';
      one.part = part;
      return say(id, one, gap + delta);
    },
    completed(item) {
      const id = str(item, 'id') ?? '';
      const kind: Kind = str(item, 'type') === 'reasoning' ? 'thinking' : 'assistant';
      const one = message(id, kind);
      open.delete(id);
      if (one.said) return [];
      const summary = strings(arr(item, 'summary'));
      const parts =
        kind === 'assistant' ? [str(item, 'text') ?? ''] : summary.length > 0 ? summary : strings(arr(item, 'content'));
      return say(id, one, parts.join('\n\n'));
    },
    broken() {
      for (const [id, one] of open) if (one.said) orphans[one.kind] = id;
      open.clear();
    },
    settled() {
      orphans.assistant = undefined;
      orphans.thinking = undefined;
    },
  };
}
