/** Values that a flag gives by the path of a file: how the file's text is read, and written for a process of our own. */

import type { Json } from '../contract/vocabulary.js';
import { isTooDeep, MAX_DEPTH } from '../text/depth.js';
import type { Kind } from './kinds.js';
import type { Place } from './place.js';

export interface InFile<Value> {
  /** @throws UsageError */
  read(text: string, at: Place): Value;
  write(value: Value): string;
}

/** The text itself. */
export const textFile: InFile<string> = { read: (text) => text, write: (text) => text };

/** @throws UsageError that says where the text stops being JSON, without quoting it (it may hold keys) */
export function readJson(text: string, at: Place): Json {
  if (isTooDeep(text)) throw at.fault('form', `it is nested deeper than ${MAX_DEPTH} levels`);
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (cause) {
    const where =
      cause instanceof Error ? /position \d+(?: \(line \d+ column \d+\))?/.exec(cause.message)?.[0] : undefined;
    throw at.fault('form', `not valid JSON${where === undefined ? '' : ` at ${where}`}`, { cause });
  }
}

/** JSON of one kind. */
export function jsonFile<Value>(kind: Kind<Value>): InFile<Value> {
  return {
    read(text, at) {
      const value = readJson(text, at);
      return (kind.json ?? kind.value)(value, at);
    },
    write: (value) => JSON.stringify(value),
  };
}
