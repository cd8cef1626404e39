/** The built-in runtime: our own program without a model behind it, for trying things out and for tests. */

import type { Machine } from '../../src/runner/machine.js';
import { OUR_LIMITS, type TurnRequest } from '../../src/runner/request.js';
import type { Invocation, Refusal, Runner } from '../../src/runner/runner.js';
import { commands } from './commands.js';
import { converse } from './converse.js';
import { models, sessions } from './listing.js';

function invoke(request: TurnRequest, machine: Machine): Invocation | Refusal {
  if (request.mcpServers.length > 0) {
    return { refuse: 'unsupported', message: 'The demo runtime loads no MCP servers; leave out --mcp-config.' };
  }
  return { argv: [...machine.turnout, '__demo'], env: {}, stdin: 'hold', stdout: 'pipe' };
}

const runner: Runner = {
  id: 'demo',
  title: 'Demo',
  builtin: true,
  bins: [],
  packages: [],
  install: { kind: 'manual' },
  installHint: 'nothing to install: the demo runtime is built in',
  loginHint: null,
  testedVersions: [],
  transport: 'demo-stream',
  streamsIncrementally: true,
  toolActivity: 'full',
  tellsSubagents: true,
  access: {
    scoped: { native_sandbox: 'turnout', approvals: 'n/a', asks: true, gaps: [] },
    none: { native_sandbox: 'read-only', approvals: 'off', gaps: [] },
    read: { native_sandbox: 'turnout', approvals: 'n/a', asks: true, gaps: [] },
    edit: { native_sandbox: 'turnout', approvals: 'n/a', asks: true, gaps: [] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  sandbox: {},
  confine: {
    state: [{ at: '~/.local/state/turnout', variable: 'XDG_STATE_HOME', below: 'turnout', sessions: ['demo'] }],
  },
  toolTransport: 'native',
  anyToolName: true,
  parallelCalls: true,
  resume: true,
  effort: true,
  maxTurns: false,
  reportsCost: true,
  silentRetries: false,
  promptInArgv: false,
  decidesPerCommand: true,
  steer: true,
  asksQuestions: true,
  settingsLoaded: [],
  nesting: [],
  keys: [],
  tools: (request) => (request.toolsOn ? 'native' : 'none'),
  invoke,
  commands,
  warm: { live: ['system', 'model', 'effort', ...OUR_LIMITS] },
  models,
  sessions,
  converse,
};

export default runner;
