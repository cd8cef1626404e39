/** Cline's command line program, driven by `--json`: one prompt, one process, NDJSON on stdout (3.0.65). */

import type { Runner } from '../../src/runner/runner.js';
import { converse } from './converse.js';
import { invoke } from './invoke.js';

const runner: Runner = {
  id: 'cline',
  title: 'Cline',
  bins: ['cline'],
  packages: ['cline', '@cline/cli'],
  install: { kind: 'npm', packages: ['cline'] },
  installHint: 'npm install -g cline',
  loginHint: 'cline auth',
  loginTraces: ['$CLINE_DATA_DIR/settings/providers.json', '~/.cline/data/settings/providers.json'],
  // Warnings of a library about the program itself, with their stack.
  chatter: /^(?:Warning: AI SDK |DeprecationWarning: AI SDK |\s+at |\s*$)/,
  testedVersions: ['3.0.65'],
  transport: 'json',
  streamsIncrementally: true,
  toolActivity: 'full',
  // The project's own hooks and plugins always run, so nothing can be guaranteed about what is written.
  access: {
    scoped: { native_sandbox: 'read-only', approvals: 'off', gaps: ['read_outside'] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  sandbox: { 'read-only': { native_sandbox: 'read-only', approvals: 'off' } },
  confine: {
    state: [
      {
        at: '~/.cline/data',
        variable: 'CLINE_DATA_DIR',
        sessions: ['sessions'],
        config: ['globalState.json', 'settings/cline_mcp_settings.json', 'settings/global-settings.json'],
        logins: ['settings/providers.json'],
      },
    ],
  },
  toolTransport: 'mcp',
  // It asks one MCP server for one call at a time.
  parallelCalls: false,
  toolResultLimit: 7_500,
  // `--id` wants a terminal; the stream never reports a session's id.
  resume: false,
  effort: true,
  maxTurns: false,
  reportsCost: true,
  silentRetries: true,
  promptInArgv: true,
  decidesPerCommand: false,
  steer: false,
  settingsLoaded: [
    'project AGENTS.md',
    'project .clinerules and .cline (rules, hooks, plugins)',
    'rules in ~/Documents/Cline',
  ],
  nesting: ['CLINE_CONNECTOR_CLI_LAUNCH', 'CLINE_NO_INTERACTIVE', 'CLINE_RUN_AS_HUB_DAEMON', 'CLINE_WRAPPER_PATH'],
  keys: 'all',
  version: {
    args: ['--version'],
    pattern: /^(\d+\.\d+\.\d+\S*)/,
    env: { CLINE_NO_AUTO_UPDATE: '1', CLINE_TELEMETRY_DISABLED: '1' },
  },
  tools: (request) => (request.toolsOn ? 'mcp' : 'none'),
  invoke,
  converse,
};

export default runner;
