/** The flags of `turnout run`: those of exec that are for people, and a few more. */

import { EXEC_FLAGS } from '../request/exec-flags.js';
import type { FlagSpec } from '../request/flag.js';
import { flagName } from '../request/spelling.js';
import type { OptionName } from '../request/table.js';

/** They make sense only for a program on the other side of our pipes. */
const FOR_HOSTS: readonly OptionName[] = [
  'callerTools',
  'tools',
  'toolNames',
  'toolTimeoutMs',
  'questions',
  'promptFrame',
  'keep',
  'json',
];
/** Accepted, but there is a shorter way to say it. */
const UNSEEN: readonly OptionName[] = ['prompt', 'protocol', 'claudePath', 'speed', 'startupTimeoutMs'];

/** A person is asked at the terminal; a program by frames (`agent exec`). */
export const APPROVERS: readonly string[] = ['ask', 'deny'];

/** Flags without dashes that people get an error for. */
export const HOST_FLAGS = FOR_HOSTS.map(flagName);

function forPeople(): Readonly<Record<string, FlagSpec>> {
  const hidden = [...HOST_FLAGS, ...UNSEEN.map(flagName)];
  const seen = Object.entries(EXEC_FLAGS).map(([name, spec]): [string, FlagSpec] => {
    if (name === flagName('runtime')) return [name, { ...spec, default: 'auto' }];
    return [name, hidden.includes(name) ? { ...spec, hidden: true } : spec];
  });
  return Object.fromEntries(seen);
}

export const RUN_FLAGS: Readonly<Record<string, FlagSpec>> = {
  ...forPeople(),
  approvals: {
    value: 'WHO',
    options: APPROVERS,
    default: 'ask at a terminal',
    summary: 'who answers permission questions: you, or nobody, so that they are denied',
  },
  continue: { char: 'c', summary: 'go on with the last session of `turnout run` in this folder' },
  quiet: { char: 'q', summary: 'print the answer alone' },
  'no-color': { summary: 'no colours; the variable NO_COLOR does the same' },
};
