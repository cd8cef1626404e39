/**
 * What the event log does not hold of a run, kept beside it: the prompt as it was written, and what a runtime that speaks
 * the protocol itself told in its own words, each with the event that it follows.
 */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import type { RunLog } from '../../runs/ports.js';
import { arr, num, obj } from '../../text/json.js';

export interface Note {
  /** The number of the event that it follows; 0 before all of them. */
  after: number;
  update: JsonObject;
}

export interface Notes {
  prompt: Json[] | null;
  updates: Note[];
}

/** A prompt with more than that in it (pictures) is kept as text only. */
const PROMPT = 4 * 1024 * 1024;
const NAME = 'acp';

export async function keepPrompt(log: RunLog, run: string, blocks: Json): Promise<void> {
  if (JSON.stringify(blocks).length <= PROMPT) await log.note(run, NAME, { prompt: blocks });
}

export const keepUpdate = (log: RunLog, run: string, note: Note): Promise<void> => log.note(run, NAME, { ...note });

export async function readNotes(log: RunLog, run: string): Promise<Notes> {
  const notes: Notes = { prompt: null, updates: [] };
  for (const value of await log.notes(run, NAME)) {
    notes.prompt ??= arr(value, 'prompt') ?? null;
    const update = obj(value, 'update');
    if (update) notes.updates.push({ after: num(value, 'after') ?? 0, update });
  }
  return notes;
}
