/**
 * What callers did to a run, which its own log does not hold: answers to permission questions, and guidance. Kept beside
 * the log with the number of the entry that it followed, so that whoever reads the events later finds it in its place.
 */

import type { JsonObject } from '../../../contract/vocabulary.js';
import type { Core } from '../../../runs/core.js';
import { num, obj, str } from '../../../text/json.js';

const NOTE = 'openai.told';
const EVENTS = ['approval.responded', 'run.steered'] as const;

export interface Told {
  /** The entry behind which it happened. */
  after: number;
  /** Milliseconds since 1970. */
  at: number;
  event: (typeof EVENTS)[number];
  fields: JsonObject;
}

export interface Telling {
  tell(run: string, told: Told): Promise<void>;
  /** What was told so far, in order. */
  told(run: string): Promise<Told[]>;
  /** Calls when something is told, until it is left. */
  listen(run: string, hear: (told: Told) => void): () => void;
}

export function telling(core: Core): Telling {
  const listeners = new Map<string, Set<(told: Told) => void>>();
  return {
    async tell(run, told) {
      await core.log.note(run, NOTE, { ...told });
      for (const hear of listeners.get(run) ?? []) hear(told);
    },
    async told(run) {
      const notes = await core.log.notes(run, NOTE);
      return notes.flatMap((note) => {
        const event = EVENTS.find((one) => one === str(note, 'event'));
        if (event === undefined) return [];
        return [{ after: num(note, 'after') ?? 0, at: num(note, 'at') ?? 0, event, fields: obj(note, 'fields') ?? {} }];
      });
    },
    listen(run, hear) {
      const all = listeners.get(run) ?? new Set();
      listeners.set(run, all.add(hear));
      return () => {
        all.delete(hear);
        if (all.size === 0) listeners.delete(run);
      };
    },
  };
}
