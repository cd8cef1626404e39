/** Qwen Code through its control protocol, which is Claude's; caller tools use our own socket. */

import type { Runner } from '../../src/runner/runner.js';
import { converse } from './converse.js';
import { invoke } from './invoke.js';

const runner: Runner = {
  id: 'qwen',
  aliases: ['qwen-rpc'],
  title: 'Qwen Code',
  bins: ['qwen'],
  packages: ['@qwen-code/qwen-code'],
  install: { kind: 'npm', packages: ['@qwen-code/qwen-code'] },
  installHint: 'npm install -g @qwen-code/qwen-code',
  loginHint: 'qwen',
  loginTraces: ['~/.qwen/oauth_creds.json'],
  configFiles: ['~/.qwen/settings.json'],
  chatter: /^(?:⚠ SAFE MODE|Ripgrep not available: )/,
  testedVersions: ['0.24.4'],
  transport: 'stream-json',
  streamsIncrementally: true,
  toolActivity: 'full',
  tellsSubagents: true,
  access: {
    // `cat /etc/hostname` runs unasked.
    scoped: { native_sandbox: 'restricted', approvals: 'on', asks: true, gaps: ['read_outside'] },
    read: { native_sandbox: 'restricted', approvals: 'on', asks: true, gaps: [] },
    edit: { native_sandbox: 'restricted', approvals: 'on', asks: true, gaps: [] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  sandbox: {
    'read-only': { native_sandbox: 'restricted', approvals: 'on' },
    'workspace-write': { native_sandbox: 'restricted', approvals: 'on' },
  },
  // It rewrites settings.json at its start, so that is a file of the turn (0.24.4).
  brokered: { key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL', vendor: 'https://api.openai.com/v1' },
  confine: {
    state: [
      {
        at: '~/.qwen',
        sessions: ['projects'],
        config: ['settings.json', 'QWEN.md', 'extensions'],
        logins: ['oauth_creds.json'],
      },
    ],
  },
  toolTransport: 'mcp',
  tellsServers: true,
  parallelCalls: false,
  toolResultLimit: 27_500,
  resume: true,
  effort: false,
  maxTurns: true,
  reportsCost: false,
  // It retries a server error for 100 s without output; it announces rate limits.
  silentRetries: true,
  untoldEnds: ['max_tokens', 'refusal'],
  promptInArgv: false,
  decidesPerCommand: true,
  steer: false,
  settingsLoaded: ['model choice'],
  // Seen in the environment of its shell commands, and what its own starter leaves there.
  nesting: [
    'QWEN_CODE',
    'QWEN_CODE_AGENT_ID',
    'QWEN_CODE_MODEL',
    'QWEN_CODE_MODEL_IDENTITY',
    'QWEN_CODE_NO_RELAUNCH',
    'QWEN_CODE_PENDING_COMPILE_CACHE',
    'QWEN_CODE_PRIVATE_RELAUNCH_ENV_PROVENANCE',
    'QWEN_CODE_PROJECT_DIR',
    'QWEN_CODE_PROMPT_ID',
    'QWEN_CODE_RELAUNCH_ARGS',
    'QWEN_CODE_SESSION_ID',
  ],
  keys: 'all',
  version: { args: ['--version'], pattern: /^(\d+\.\d+\.\d+)/ },
  tools: (request) => (request.toolsOn ? 'mcp' : 'none'),
  invoke,
  converse,
};

export default runner;
