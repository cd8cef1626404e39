/** What is kept of a response beside the log of its run: what was asked. What was answered is read from the log. */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import type { Core } from '../../runs/core.js';
import { CoreError } from '../../runs/failure.js';
import type { Caller } from '../../runs/ports.js';
import type { RunRecord } from '../../runs/records.js';
import { num, obj, str } from '../../text/json.js';
import { readId } from './call-id.js';
import { ApiError } from './failure.js';

const NOTE = 'openai.response';
/** The prefix of ids of responses. */
export const RESPONSE = 'resp';

export interface Kept {
  run: RunRecord;
  id: string;
  model: string;
  /** The answer is one text that fits a schema. */
  whole: boolean;
  echo: JsonObject;
  input: Json[];
  /** The entries of the log that are its answer: behind the first number, up to the second; null is the end. */
  after: number;
  last: number | null;
}

export async function keep(core: Core, kept: Omit<Kept, 'last'>): Promise<void> {
  const { run, id, model, whole, echo, input, after } = kept;
  await core.log.note(run.run_id, NOTE, { id, model, whole, echo, input, after });
}

export const forget = (core: Core, { run, id }: Kept): Promise<void> =>
  core.log.note(run.run_id, NOTE, { id, deleted: true });

const noResponse = (id: string): ApiError => new ApiError(404, 'response_not_found', `There is no response ${id}.`);

/** @throws ApiError 404 for one that was not stored, was deleted, or is another caller's */
export async function kept(core: Core, caller: Caller, id: string): Promise<Kept> {
  const named = readId(RESPONSE, id);
  if (named === null) throw noResponse(id);
  try {
    const { run } = await core.runs.get(named.run, caller);
    const notes = await core.log.notes(named.run, NOTE);
    const note = notes.find((one) => one['id'] === id);
    if (!note || notes.some((one) => one['id'] === id && one['deleted'] === true)) throw noResponse(id);
    const after = num(note, 'after') ?? 0;
    const later = notes.map((one) => num(one, 'after') ?? 0).filter((one) => one > after);
    const input = note['input'];
    return {
      run,
      id,
      model: str(note, 'model') ?? '',
      whole: note['whole'] === true,
      echo: obj(note, 'echo') ?? {},
      input: Array.isArray(input) ? input : [],
      after,
      last: later.length === 0 ? null : Math.min(...later),
    };
  } catch (error) {
    if (error instanceof CoreError && error.reason === 'not-found') throw noResponse(id);
    throw error;
  }
}
