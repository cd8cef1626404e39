/** Chunks of text and thought as messages: whose id is whose, and what a retry says again. */

import type { Json } from '../../../src/contract/vocabulary.js';
import type { Say } from '../../../src/runner/action.js';
import { str } from '../../../src/text/json.js';
import { echo, type Piece } from './echo.js';
import type { Quirks } from './quirks.js';

type Kind = 'assistant' | 'thinking';
type Said = Extract<Say, { type: Kind }>;

export interface Texts {
  /** @returns what to say; null when the chunk holds no text */
  chunk(kind: Kind, update: Json): Said[] | null;
  /** @returns what was held back because it may be a repeated beginning: the answer goes on with something else */
  rest(): Said[];
  /** The last text that the program said for itself; null when there was none. */
  aside(): string | null;
  /** A tool came in between: what follows without an id of its own is another message. */
  interrupted(): void;
  /** Another model call has begun: what was said before is no longer at stake. */
  newCall(): void;
  /** The model call is made again: what its messages said so far will be repeated. */
  retried(): void;
}

interface Run {
  kind: Kind;
  /** The agent's own id, null where it gives none. */
  native: string | null;
  id: string;
  replaces: string | undefined;
}

/** @param quirks which chunks are noise */
export function texts(quirks: Quirks): Texts {
  /** What an id of the agent's is called by us, and which message it repeats. */
  const names = new Map<string, { id: string; replaces: string | undefined; tries: number }>();
  let run: Run | null = null;
  let repeated: Partial<Record<Kind, string>> = {};
  let since: Run[] = [];
  let next = 1;
  let aside: string | null = null;
  const twice = quirks.repeatsCut ? echo(() => `m${next++}`) : null;
  const spoken = (kind: Kind, { message, text }: Piece): Said => {
    const { id, replaces } = message;
    return { type: kind, text, message_id: id, ...(replaces ? { replaces } : {}) };
  };
  const rest = (): Said[] => (twice?.flush() ?? []).map((piece) => spoken('assistant', piece));

  const begin = (kind: Kind, native: string | null): Run => {
    if (native === null) {
      const replaces = repeated[kind];
      delete repeated[kind];
      return { kind, native, id: `${kind === 'assistant' ? 'm' : 't'}${next++}`, replaces };
    }
    const known = names.get(native) ?? { id: native, replaces: undefined, tries: 1 };
    names.set(native, known);
    return { kind, native, id: known.id, replaces: known.replaces };
  };

  const clean = (kind: Kind, text: string, fresh: boolean): string => {
    if (kind === 'assistant') return text;
    const plain = quirks.thoughtNoise ? text.replace(quirks.thoughtNoise, '') : text;
    return quirks.wholeThoughts && !fresh && plain !== '' ? `\n${plain}` : plain;
  };

  return {
    chunk(kind, update) {
      const text = str(update, 'content', 'text');
      if (text === undefined) return null;
      if (quirks.notModel?.test(text)) return [];
      const native = str(update, 'messageId') ?? null;
      if (kind === 'assistant' && native === null && quirks.namesItsMessages) {
        aside = text.trim();
        return [];
      }
      const fresh = run === null || run.kind !== kind || run.native !== native;
      if (fresh) {
        run = begin(kind, native);
        since.push(run);
      }
      const now = run ?? begin(kind, native);
      const said = clean(kind, text, fresh);
      if (said === '') return [];
      if (kind === 'assistant' && twice) return twice.hear(now, said).map((piece) => spoken(kind, piece));
      return [...rest(), spoken(kind, { message: now, text: said })];
    },
    rest,
    aside: () => aside,
    interrupted() {
      run = null;
      twice?.forget();
      if (!quirks.log) since = [];
    },
    newCall() {
      since = [];
    },
    retried() {
      repeated = {};
      for (const old of since) {
        if (old.native === null) {
          repeated[old.kind] ??= old.id;
          continue;
        }
        const known = names.get(old.native);
        // A message may have come in several runs.
        if (!known || known.id !== old.id) continue;
        known.tries++;
        known.replaces = known.id;
        known.id = `${old.native}#${known.tries}`;
      }
      run = null;
      since = [];
    },
  };
}
