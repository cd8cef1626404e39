/** The flags of `turnout run`: those of exec that are for people, and a few more. */

import type { FlagSpec } from './argv.js';
import { EXEC_FLAGS, type ExecFlag } from './exec-flags.js';

/** They make sense only for a program on the other side of our pipes. */
export const FOR_HOSTS = ['tools', 'tools-file', 'tool-names', 'tool-timeout', 'approvals', 'format', 'json'] as const;
/** Accepted, but there is a shorter way to say it. */
const UNSEEN: readonly ExecFlag[] = ['prompt', 'protocol', 'claude-path', 'speed', 'startup-timeout'];

const hidden: readonly string[] = [...FOR_HOSTS, ...UNSEEN];

function forPeople(): Record<ExecFlag, FlagSpec> {
  const specs: Record<ExecFlag, FlagSpec> = { ...EXEC_FLAGS };
  for (const name of hidden)
    if (name in specs) Object.assign(specs, { [name]: { ...specs[name as ExecFlag], hidden: true } });
  return { ...specs, runtime: { ...EXEC_FLAGS.runtime, default: 'auto' } };
}

export const RUN_FLAGS = {
  ...forPeople(),
  continue: { char: 'c', summary: 'go on with the last session of `turnout run` in this folder' },
  quiet: { char: 'q', summary: 'print the answer alone' },
  'no-color': { summary: 'no colours; the variable NO_COLOR does the same' },
} satisfies Record<string, FlagSpec>;

export type RunFlag = keyof typeof RUN_FLAGS;
