/** What was read → the keys of an `exec` request that mean the same. */

import type { Json, JsonObject } from '../contract/vocabulary.js';
import { parseJson } from '../text/json.js';
import { place } from './place.js';
import { asOptions, keyName } from './spelling.js';
import { type Given, OPTION_NAMES, type OptionName, type Row, TABLE, takes } from './table.js';
import type { TurnValues } from './values.js';

function jsonOf<Name extends OptionName>(name: Name, value: TurnValues[Name]): Json | undefined {
  const row: Row<TurnValues[Name]> = TABLE[name];
  // Units travel with the value; what asks the host has a word of its own in JSON.
  if (name.endsWith('Ms')) return row.kind.print(value, place(asOptions, [name])) ?? undefined;
  if (name === 'approvals' || name === 'questions') return value === 'stdio' ? 'ask' : undefined;
  return parseJson(JSON.stringify(value) ?? '') ?? undefined;
}

/**
 * @param given as {@link readOptions} returns it, tools and approvals included
 * @throws UsageError for what no request can carry
 */
export function toJson(given: Given): JsonObject {
  const keys: JsonObject = {};
  for (const name of OPTION_NAMES) {
    const value = given[name];
    if (value === undefined || name === 'callerTools') continue;
    if (!takes(name, 'json')) throw place(asOptions, [name]).fault('unknown', 'a server does not accept it');
    const json = jsonOf(name, value);
    if (json !== undefined) keys[keyName(name)] = json;
  }
  return keys;
}
