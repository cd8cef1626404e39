/** The flags of `turnout org`. They may stand before or after words; after `--` everything is a word. */

import type { FlagSpec } from '../request/flag.js';

const FLAGS = {
  format: { value: 'FORM', options: ['text', 'json'], summary: 'json: one document on one line' },
  run: { value: 'ID', summary: 'the run that is meant (the newest)' },
  all: { summary: 'also what is answered; report: every run' },
  follow: { char: 'f', summary: 'events: go on with what comes' },
  since: { value: 'CURSOR', summary: 'events: only after this event, or from this time on' },
  ndjson: { summary: 'events: always so' },
  task: { value: 'TEXT', anyText: true, summary: 'run: what is to be done' },
  yes: { summary: 'run: begin it' },
  'dry-run': { summary: 'run: only say what would be begun' },
} as const satisfies Record<string, FlagSpec>;

export type OrgFlag = keyof typeof FLAGS;
export const ORG_FLAGS: Readonly<Record<OrgFlag, FlagSpec>> = FLAGS;
