/**
 * What the event log does not hold of a run, kept beside it: the prompt as it was written, and what a runtime that speaks
 * the protocol itself told in its own words, each with the event that it follows.
 */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import type { Store } from '../../runs/store/store.js';
import { arr, num, obj, parseObject } from '../../text/json.js';

export interface Note {
  /** The number of the event that it follows; 0 before all of them. */
  after: number;
  update: JsonObject;
}

export interface Notes {
  prompt: Json[] | null;
  updates: Note[];
}

const BATCH = 500;
/** A prompt with more than that in it (pictures) is kept as text only. */
const PROMPT = 4 * 1024 * 1024;

const nameOf = (run: string): string => `${run}/acp`;

export function keepNotes(store: Store, run: string): { prompt(blocks: Json): void; update(note: Note): void } {
  let seq = 0;
  const append = (value: JsonObject) => {
    seq += 1;
    store.append(nameOf(run), { seq, json: JSON.stringify(value) });
  };
  return {
    prompt(blocks) {
      if (JSON.stringify(blocks).length <= PROMPT) append({ prompt: blocks });
    },
    update: (note) => append({ ...note }),
  };
}

export function readNotes(store: Store, run: string): Notes {
  const notes: Notes = { prompt: null, updates: [] };
  for (let after = 0; ; ) {
    const some = store.events(nameOf(run), after, BATCH);
    for (const { seq, json } of some) {
      after = seq;
      const value = parseObject(json);
      notes.prompt ??= arr(value, 'prompt') ?? null;
      const update = obj(value, 'update');
      if (update) notes.updates.push({ after: num(value, 'after') ?? 0, update });
    }
    if (some.length < BATCH) return notes;
  }
}
