/** What can be compared of an answer of a coding service, whatever it came over. */

import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import { obj, str } from '../../../src/text/json.js';

export interface Comparable {
  /** Of HTTP; over MCP the code of an error, 1 for a refused call, 0 for an answered one. */
  status: number | null;
  /** The code of a refusal. */
  error: string | null;
  state: string | null;
  landable: Json;
  /** Keys of the body and of the objects in it. */
  keys: string[];
}

export const FINDING = {
  code: 'missing.doc',
  severity: 'minor',
  message: 'Say who is greeted',
  evidence_ref: 'made.txt:1',
};

export const AT_WORK = 'at work';
const WORKING = ['queued', 'running', 'rework_queued', 'rework_running'];

const inside = (body: JsonObject, name: string): string[] =>
  Object.keys(obj(body, name) ?? {}).map((key) => `${name}.${key}`);

export function answerOf(status: number | null, body: JsonObject): Comparable {
  const job = obj(body, 'job');
  const state = str(job, 'state') ?? null;
  return {
    status,
    error: str(body, 'error') ?? null,
    // A service works on while it answers: which of these it is depends on the moment.
    state: state !== null && WORKING.includes(state) ? AT_WORK : state,
    landable: job?.['landable'] ?? null,
    keys: [...Object.keys(body), ...inside(body, 'job'), ...inside(body, 'observation')].sort(),
  };
}
