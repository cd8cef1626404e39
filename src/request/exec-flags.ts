/** The flags of `turnout agent exec`, made of the table. */

import type { FlagSpec } from './flag.js';
import { place } from './place.js';
import { asFlags, flagName } from './spelling.js';
import { OPTION_NAMES, type OptionName, type Row, TABLE, takes } from './table.js';
import type { TurnValues } from './values.js';

function specOf<Name extends OptionName>(name: Name): FlagSpec {
  const row: Row<TurnValues[Name]> = TABLE[name];
  const { kind, value, char, many, anyText, summary } = row;
  const shown = row.default === undefined || many ? null : kind.print(row.default, place(asFlags, [name]));
  return {
    summary,
    ...(value === undefined ? {} : { value }),
    ...(char === undefined ? {} : { char }),
    ...(many ? { many } : {}),
    ...(anyText ? { anyText } : {}),
    ...(kind.words ? { options: kind.words } : {}),
    ...(shown === null ? {} : { default: shown }),
  };
}

/** By name without dashes, in the order of help. */
export const EXEC_FLAGS: Readonly<Record<string, FlagSpec>> = Object.fromEntries(
  OPTION_NAMES.filter((name) => takes(name, 'flag')).map((name) => [flagName(name), specOf(name)]),
);
