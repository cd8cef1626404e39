/** One line of a trace: a request and all that was answered. The other keys let it be played again to the byte. */

import type { JsonObject } from '../../contract/vocabulary.js';
import type { Taken } from '../../runs/clock-and-ids.js';
import { arr, num, obj, parseObject, str } from '../../text/json.js';

export interface Pair {
  request: string;
  response: string;
  /** Pairs of one session share what it remembers. */
  session: string | null;
  /** What the request came through: it is kept of what it begins. */
  surface: string | null;
  /** In which order requests were begun; pairs stand in the order in which they ended. */
  order: number | null;
  /** How many lines had been answered when it was begun. */
  at: number | null;
  given: Taken | null;
  /** The folder of requests that name none. */
  cwd: string | null;
}

const numbers = (value: JsonObject, key: string): number[] =>
  (arr(value, key) ?? []).filter((one): one is number => typeof one === 'number');
const strings = (value: JsonObject, key: string): string[] =>
  (arr(value, key) ?? []).filter((one): one is string => typeof one === 'string');

/** @returns null when the line is no pair */
export function readPair(line: string): Pair | null {
  const value = parseObject(line);
  if (!value) return null;
  const [request, response] = [str(value, 'request'), str(value, 'response')];
  if (request === undefined || response === undefined) return null;
  const given = obj(value, 'given');
  return {
    request,
    response,
    session: str(value, 'session') ?? null,
    surface: str(value, 'surface') ?? null,
    order: num(value, 'order') ?? null,
    at: num(value, 'at') ?? null,
    given: given ? { now: numbers(given, 'now'), ids: strings(given, 'ids') } : null,
    cwd: str(value, 'cwd') ?? null,
  };
}
