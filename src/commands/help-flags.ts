/** Our tables of flags as oclif wants them, for `--help`. Reading the command line is `argv.ts`. */

import * as Flags from '@oclif/core/flags';
import type { FlagSpec } from '../request/flag.js';

export function forHelp(specs: Readonly<Record<string, FlagSpec>>) {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => {
      const hidden = spec.hidden === true;
      const after = spec.default === undefined ? '' : ` (${spec.default})`;
      const shared = { summary: spec.summary + after, hidden, ...(isChar(spec.char) ? { char: spec.char } : {}) };
      if (spec.value === undefined) return [name, Flags.boolean(shared)];
      const helpValue = spec.options ? `<${spec.options.join('|')}>` : spec.value;
      return [
        name,
        spec.many ? Flags.string({ ...shared, helpValue, multiple: true }) : Flags.string({ ...shared, helpValue }),
      ];
    }),
  );
}

function isChar(char: string | undefined): char is 'r' | 'p' | 'm' | 'c' | 'q' {
  return char !== undefined && /^[rpmcq]$/.test(char);
}
