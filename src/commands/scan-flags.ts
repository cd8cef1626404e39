/** The flags of `turnout agent scan`: one table for the parser and for help. */

import type { FlagSpec } from '../request/flag.js';

export const SCAN_FLAGS = {
  json: { summary: 'one JSON document' },
  installed: { summary: 'only what is installed' },
  probe: { summary: 'start programs whose files do not tell their version, to ask them' },
  all: { summary: 'built-in runtimes too' },
  runner: { value: 'PATH', summary: 'a module that exports a runner of your own; repeatable', many: true },
  'claude-path': { value: 'PATH', summary: 'same as the variable CLAUDE_CLI_BIN' },
} as const satisfies Record<string, FlagSpec>;

export type ScanFlag = keyof typeof SCAN_FLAGS;
