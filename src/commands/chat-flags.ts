/** The flags of `turnout chat`: those of run that make sense for many turns. */

import type { FlagSpec } from '../request/flag.js';
import { RUN_FLAGS } from './run-flags.js';

/** They are about one prompt or one answer. */
const ONE_TURN = [
  'quiet',
  'format',
  'prompt-file',
  'output-schema',
  'record',
  'isolate',
  'speed',
  'org',
  'role',
  'approvals',
];

export const CHAT_FLAGS: Readonly<Record<string, FlagSpec>> = {
  ...Object.fromEntries(Object.entries(RUN_FLAGS).filter(([name]) => !ONE_TURN.includes(name))),
  plain: { summary: 'lines alone, without colours or a moving cursor: for screen readers and simple terminals' },
};
