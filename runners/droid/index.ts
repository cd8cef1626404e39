/** Factory Droid through `exec` with JSON-RPC on both sides (0.225.2). */

import type { Runner } from '../../src/runner/runner.js';
import { converse } from './converse.js';
import { invoke } from './invoke.js';

const runner: Runner = {
  id: 'droid',
  title: 'Factory Droid',
  bins: ['droid'],
  packages: ['@factory/cli'],
  install: { kind: 'npm', packages: ['@factory/cli'] },
  installHint: 'npm install -g @factory/cli',
  loginHint: 'droid',
  // No `tellsServers`: `droid.list_mcp_servers` and its notifications leave out those that a session brings (0.225.2).
  testedVersions: ['0.225.2'],
  transport: 'droid exec --input-format stream-jsonrpc',
  streamsIncrementally: true,
  toolActivity: 'full',
  access: {
    // It reads without asking, wherever; everything that changes something is asked.
    scoped: { native_sandbox: 'turnout', approvals: 'n/a', asks: true, gaps: ['read_outside'] },
    read: { native_sandbox: 'turnout', approvals: 'n/a', asks: true, gaps: [] },
    edit: { native_sandbox: 'turnout', approvals: 'n/a', asks: true, gaps: [] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  sandbox: {
    'read-only': { native_sandbox: 'turnout', approvals: 'n/a' },
    'workspace-write': { native_sandbox: 'turnout', approvals: 'n/a' },
  },
  confine: {
    state: [
      {
        at: '~/.factory',
        sessions: ['sessions'],
        config: ['settings.json', 'mcp.json', 'droids', 'commands', 'skills', 'hooks.json', 'AGENTS.md', 'bin'],
        logins: ['auth.json', 'auth.v2.file'],
      },
    ],
  },
  toolTransport: 'mcp',
  parallelCalls: true,
  toolResultLimit: 39_000,
  resume: true,
  effort: true,
  maxTurns: false,
  reportsCost: false,
  silentRetries: false,
  promptInArgv: false,
  decidesPerCommand: true,
  steer: true,
  asksQuestions: true,
  images: true,
  settingsLoaded: [
    'user settings.json',
    'user mcp.json, hooks, skills, droids and AGENTS.md',
    'project .factory folder and AGENTS.md',
  ],
  nesting: ['FACTORY_DROID', 'DROID_SESSION_ID'],
  keys: 'all',
  version: { args: ['--version'], pattern: /^(\d+\.\d+\.\d+\S*)/ },
  tools: () => 'mcp',
  invoke,
  converse,
};

export default runner;
