/** The flags of `turnout compare`: those of run that make sense for several turns at once. */

import type { FlagSpec } from '../request/flag.js';
import { RUN_FLAGS } from './run-flags.js';

/** They belong to one session, one file, or to the form of one answer. */
const ONE_TURN = ['resume', 'continue', 'quiet', 'format', 'record', 'isolate', 'speed', 'org', 'role', 'approvals'];

export const COMPARE_FLAGS: Readonly<Record<string, FlagSpec>> = {
  ...Object.fromEntries(Object.entries(RUN_FLAGS).filter(([name]) => !ONE_TURN.includes(name))),
  runtime: { char: 'r', value: 'IDS', summary: 'two or more runtimes with commas: claude,codex,gemini' },
  check: { value: 'COMMAND', anyText: true, summary: 'run this in each copy afterwards, such as "npm test"' },
  pick: { value: 'N', summary: 'land this result without asking; none lands nothing' },
  json: { summary: 'one JSON document, when all are done' },
  stream: { summary: 'the events of all turns as they come, each with its number n' },
};
