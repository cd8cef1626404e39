/** Claude Code through its bidirectional stream-json: deltas, permission questions and our MCP server in one pipe. */

import type { Runner } from '../../src/runner/runner.js';
import { converse } from './converse.js';
import { invoke } from './invoke.js';
import { models, sessions } from './listing.js';
import { quota } from './quota.js';

const runner: Runner = {
  id: 'claude',
  title: 'Claude Code',
  bins: ['claude'],
  packages: ['@anthropic-ai/claude-code'],
  places: ['~/.local/bin/claude', '~/.claude/local/claude'],
  install: { kind: 'npm', packages: ['@anthropic-ai/claude-code'] },
  installHint: 'npm install -g @anthropic-ai/claude-code',
  loginHint: 'claude auth login',
  loginTraces: ['$CLAUDE_CONFIG_DIR/.credentials.json', '~/.claude/.credentials.json'],
  // Its documented order. On macOS the login lies in the keychain.
  credentials: [
    { kind: 'cloud', variable: 'CLAUDE_CODE_USE_BEDROCK' },
    { kind: 'cloud', variable: 'CLAUDE_CODE_USE_VERTEX' },
    { kind: 'cloud', variable: 'CLAUDE_CODE_USE_FOUNDRY' },
    { kind: 'api_key', variable: 'ANTHROPIC_AUTH_TOKEN' },
    { kind: 'api_key', variable: 'ANTHROPIC_API_KEY' },
    { kind: 'login', variable: 'CLAUDE_CODE_OAUTH_TOKEN' },
    { kind: 'login', file: '$CLAUDE_CONFIG_DIR/.credentials.json' },
    { kind: 'login', file: '~/.claude/.credentials.json', unless: 'CLAUDE_CONFIG_DIR' },
  ],
  configFiles: ['~/.claude.json', '~/.claude/settings.json'],
  testedVersions: ['2.1.197', '2.1.332'],
  transport: 'stream-json',
  streamsIncrementally: true,
  toolActivity: 'full',
  tellsSubagents: true,
  access: {
    // Contents outside are asked about; names are not (`echo /etc/*`, `du`, measured with 2.1.332).
    scoped: { native_sandbox: 'turnout', approvals: 'n/a', asks: true, gaps: ['read_outside'] },
    none: { native_sandbox: 'read-only', approvals: 'off', gaps: [] },
    read: { native_sandbox: 'turnout', approvals: 'n/a', asks: true, gaps: [] },
    edit: { native_sandbox: 'turnout', approvals: 'n/a', asks: true, gaps: [] },
    full: { native_sandbox: 'full', approvals: 'off', gaps: [] },
  },
  sandbox: {
    'read-only': { native_sandbox: 'turnout', approvals: 'n/a' },
    'workspace-write': { native_sandbox: 'turnout', approvals: 'n/a' },
  },
  // ~/.claude.json (trust, MCP servers) stays readable; a turn keeps nothing there (2.1.332).
  brokered: { key: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL', vendor: 'https://api.anthropic.com' },
  confine: {
    state: [
      {
        at: '~/.claude',
        variable: 'CLAUDE_CONFIG_DIR',
        sessions: ['projects'],
        config: ['settings.json', 'settings.local.json', 'CLAUDE.md', 'agents', 'commands', 'skills', 'plugins'],
        logins: ['.credentials.json'],
      },
    ],
  },
  toolTransport: 'native',
  parallelCalls: true,
  // Longer ones go into a file that its model is shown (2.1.332).
  toolResultLimit: 48_000,
  resume: true,
  effort: true,
  maxTurns: true,
  reportsCost: true,
  silentRetries: false,
  promptInArgv: false,
  decidesPerCommand: true,
  steer: true,
  settingsLoaded: ['managed'],
  // Seen in the environment of its shell commands, and older ones it is known by.
  nesting: [
    'AI_AGENT',
    'CLAUDECODE',
    'CLAUDE_AGENT_SDK_VERSION',
    'CLAUDE_CODE_CHILD_NOTES_DIR',
    'CLAUDE_CODE_CHILD_SESSION',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_EXECPATH',
    'CLAUDE_CODE_MESSAGING_SOCKET',
    'CLAUDE_CODE_MESSAGING_TOKEN',
    'CLAUDE_CODE_SESSION_ATTENDED',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_SSE_PORT',
    'CLAUDE_EFFORT',
    'CLAUDE_PID',
  ],
  keys: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_CUSTOM_HEADERS',
    'ANTHROPIC_BEDROCK_BASE_URL',
    'ANTHROPIC_VERTEX_BASE_URL',
    'ANTHROPIC_VERTEX_PROJECT_ID',
    'ANTHROPIC_FOUNDRY_API_KEY',
    'ANTHROPIC_FOUNDRY_BASE_URL',
    'ANTHROPIC_FOUNDRY_RESOURCE',
    'AWS_BEARER_TOKEN_BEDROCK',
    'CLAUDE_CODE_OAUTH_TOKEN',
  ],
  version: { args: ['--version'], pattern: /^(\d+\.\d+\.\d+)/ },
  asksForSchema: true,
  images: true,
  asksQuestions: true,
  // Its own budget counts the process, not the turn.
  warm: { live: [], unfit: ({ budgetUsd }) => budgetUsd !== null },
  models,
  quota,
  tellsServers: true,
  sessions,
  tools: (request) => (request.toolsOn ? 'native' : 'none'),
  invoke,
  converse,
};

export default runner;
