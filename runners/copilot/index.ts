/** GitHub Copilot CLI in prompt mode with JSON lines (1.0.102). Its ACP mode reports errors as plain text only. */

import type { Runner } from '../../src/runner/runner.js';
import { converse } from './converse.js';
import { invoke } from './invoke.js';

const runner: Runner = {
  id: 'copilot',
  title: 'GitHub Copilot CLI',
  bins: ['copilot'],
  packages: ['@github/copilot'],
  install: { kind: 'npm', packages: ['@github/copilot'] },
  installHint: 'npm install -g @github/copilot',
  loginHint: 'copilot login',
  testedVersions: ['1.0.102'],
  transport: 'copilot --output-format json',
  streamsIncrementally: true,
  toolActivity: 'full',
  tellsSubagents: true,
  access: {
    // Its own judge lets commands that read run; a link may still lead out of the directory.
    scoped: { native_sandbox: 'restricted', approvals: 'on', gaps: ['read_outside'] },
    read: { native_sandbox: 'read-only', approvals: 'on', gaps: [] },
    // No `edit`: it would write .git/hooks and .gitattributes too, without asking (1.0.102).
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  sandbox: {
    'read-only': { native_sandbox: 'read-only', approvals: 'on' },
    restricted: { native_sandbox: 'restricted', approvals: 'on' },
  },
  // It unpacks itself into its cache, and writes its usage into the turn's own folder (1.0.102).
  brokered: { key: 'COPILOT_PROVIDER_API_KEY', address: 'COPILOT_PROVIDER_BASE_URL', vendor: null },
  confine: {
    state: [
      {
        at: '~/.copilot',
        variable: 'COPILOT_HOME',
        sessions: ['session-state'],
        config: ['mcp-config.json', 'config.json'],
      },
      { at: '~/.cache/copilot', variable: 'XDG_CACHE_HOME', below: 'copilot' },
    ],
    keyring: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN', 'COPILOT_PROVIDER_BASE_URL'],
    writesTurnFolder: true,
  },
  toolTransport: 'mcp',
  tellsServers: true,
  parallelCalls: true,
  toolResultLimit: 20_000,
  resume: true,
  effort: true,
  maxTurns: false,
  reportsCost: false,
  silentRetries: false,
  // It reports a refusal only when there is no text, in a separate sentence.
  untoldEnds: ['max_tokens', 'refusal'],
  promptInArgv: false,
  decidesPerCommand: false,
  steer: false,
  images: true,
  settingsLoaded: ['user config', 'user mcp-config.json', 'user plugins, skills and hooks'],
  nesting: ['COPILOT_CLI', 'COPILOT_AGENT_SESSION_ID', 'COPILOT_ALLOW_ALL', 'COPILOT_ASSISTED_APPROVAL'],
  // With a custom provider it speaks to any, but the key is always in its own variable.
  keys: [
    'COPILOT_GITHUB_TOKEN',
    'GH_TOKEN',
    'GITHUB_TOKEN',
    'COPILOT_PROVIDER_API_KEY',
    'COPILOT_PROVIDER_BEARER_TOKEN',
    'COPILOT_PROVIDER_HEADERS',
  ],
  // `--allow-tool=NAME` names a server, or one of these.
  values: { reservedServers: ['shell', 'write', 'url', 'memory', 'read'] },
  version: { args: ['--version'], pattern: /(\d+\.\d+\.\d+)/ },
  tools: () => 'mcp',
  invoke,
  converse,
};

export default runner;
