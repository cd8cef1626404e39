/** OpenCode over ACP: real deltas, our answers to its questions, MCP servers for one session. */

import type { Runner } from '../../src/runner/runner.js';
import { acp } from '../dialects/acp/index.js';
import { invoke, systemInConfig } from './invoke.js';
import { quirks } from './quirks.js';

const runner: Runner = {
  id: 'opencode',
  title: 'OpenCode',
  bins: ['opencode'],
  binVariables: ['OPENCODE_BIN'],
  packages: ['opencode-ai'],
  places: ['~/.opencode/bin/opencode'],
  install: { kind: 'npm', packages: ['opencode-ai'] },
  installHint: 'npm install -g opencode-ai',
  loginHint: 'opencode auth login',
  testedVersions: ['1.18.33'],
  transport: 'acp',
  streamsIncrementally: true,
  toolActivity: 'full',
  access: {
    // It draws the line around the repository, and follows links out of it.
    scoped: { native_sandbox: 'restricted', approvals: 'on', gaps: ['read_outside'] },
    read: { native_sandbox: 'restricted', approvals: 'on', gaps: [] },
    edit: { native_sandbox: 'restricted', approvals: 'on', gaps: [] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  sandbox: {},
  toolsDoor: 'mcp',
  parallelCalls: true,
  resume: true,
  effort: true,
  maxTurns: false,
  reportsCost: true,
  silentRetries: false,
  promptInArgv: false,
  decidesPerCommand: true,
  steer: true,
  // It holds the providers too; its MCP servers start, but none of their tools is offered.
  settingsLoaded: ['user'],
  nesting: ['AGENT', 'OPENCODE', 'OPENCODE_PID', 'OPENCODE_TERMINAL'],
  chatter: /^timestamp=\S+ +level=(INFO|DEBUG)\b/,
  keys: 'all',
  version: { args: ['--version'], pattern: /^(\d+\.\d+\.\d+\S*)/, env: { OPENCODE_DISABLE_AUTOUPDATE: '1' } },
  tools: (request) => (request.toolsOn ? 'mcp' : 'none'),
  invoke,
  converse: (request, machine) => acp(request, machine, { quirks, systemElsewhere: systemInConfig(request, machine) }),
};

export default runner;
