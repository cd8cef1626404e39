/** One value of the table that came as a value, not as text. */

import type { Place } from './place.js';
import { type OptionName, type Row, TABLE } from './table.js';
import type { TurnValues } from './values.js';

const MIB = 1024 * 1024;

/**
 * @param from JSON takes `null` for "not given": many languages can't leave a key out
 * @throws UsageError
 */
export function readValue<Name extends OptionName>(
  name: Name,
  given: unknown,
  at: Place,
  from: 'option' | 'json',
): TurnValues[Name] | undefined {
  const row: Row<TurnValues[Name]> = TABLE[name];
  if (given === undefined || (from === 'json' && given === null)) return undefined;
  const { kind, limit } = row;
  const value = from === 'json' && kind.json ? kind.json(given, at) : kind.value(given, at);
  if (limit !== undefined) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    // No text has more bytes than three times its length.
    if (text.length * 3 > limit && Buffer.byteLength(text) > limit)
      throw at.fault('size', `more than ${limit / MIB} MiB`);
  }
  return value;
}
