import * as Flags from '@oclif/core/flags';
import type { FlagSpec } from '../argv.js';
import { TurnoutCommand } from '../base.js';
import { runExec } from '../exec.js';
import { EXEC_FLAGS } from '../exec-flags.js';

/** The table as oclif wants it, for `--help`. Reading the command line is `argv.ts`. */
function forHelp(specs: Readonly<Record<string, FlagSpec>>) {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => {
      const after = spec.default === undefined ? '' : ` (${spec.default})`;
      const shared = { summary: spec.summary + after, ...(isChar(spec.char) ? { char: spec.char } : {}) };
      if (spec.value === undefined) return [name, Flags.boolean(shared)];
      const helpValue = spec.options ? `<${spec.options.join('|')}>` : spec.value;
      return [
        name,
        spec.many ? Flags.string({ ...shared, helpValue, multiple: true }) : Flags.string({ ...shared, helpValue }),
      ];
    }),
  );
}

function isChar(char: string | undefined): char is 'r' | 'p' | 'm' {
  return char === 'r' || char === 'p' || char === 'm';
}

export default class Exec extends TurnoutCommand {
  static override summary = 'Run one turn of a runtime and print its events, one JSON object a line.';
  static override description =
    'stdin takes frames (tool results, permission answers, steering, cancel), one JSON object a line. ' +
    'The exit code is the one of the last event. docs/protocol.md describes events, frames and codes.';
  static override examples = [
    '<%= config.bin %> agent exec --runtime demo --prompt hello',
    '<%= config.bin %> agent exec --runtime auto --access read --prompt "What changed in the last commit?"',
  ];
  static override flags = forHelp(EXEC_FLAGS);

  async run(): Promise<void> {
    this.parsed = true;
    await runExec(this.argv);
  }
}
