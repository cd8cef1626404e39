/** Defaults for a program we have never seen at work: they promise next to nothing. Its documentation may add to them. */

import type { Runner } from '../../src/runner/runner.js';

/** Nobody has looked at its tools: nothing is promised, and nothing is known of what it costs. */
export const UNSEEN = {
  testedVersions: [],
  streamsIncrementally: false,
  access: {
    scoped: { native_sandbox: 'none', approvals: 'n/a', gaps: ['read_outside', 'write', 'shell', 'network'] },
    full: { native_sandbox: 'none', approvals: 'n/a', gaps: [] },
  },
  sandbox: {},
  toolTransport: 'prompt',
  parallelCalls: true,
  resume: false,
  effort: false,
  maxTurns: false,
  reportsCost: false,
  silentRetries: true,
  promptInArgv: false,
  decidesPerCommand: false,
  steer: false,
  settingsLoaded: ['user', 'project'],
  nesting: [],
  keys: 'all',
} as const satisfies Partial<Runner>;
