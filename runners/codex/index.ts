/** OpenAI Codex through its app server: JSON-RPC over stdio, seen in codex-cli 0.171.0. */

import type { Json } from '../../src/contract/vocabulary.js';
import type { CredentialKind } from '../../src/runner/credential.js';
import { OUR_LIMITS } from '../../src/runner/request.js';
import type { Runner } from '../../src/runner/runner.js';
import { obj, str } from '../../src/text/json.js';
import { converse } from './converse.js';
import { invoke } from './invoke.js';
import { models, quota, sessions } from './listing.js';

/** `codex login --with-api-key` keeps the key where a login keeps its tokens (0.171.0). */
function loginKind(file: Json): CredentialKind | null {
  if (obj(file, 'tokens') !== undefined) return 'login';
  return str(file, 'OPENAI_API_KEY') === undefined ? null : 'api_key';
}

const runner: Runner = {
  id: 'codex',
  title: 'OpenAI Codex',
  bins: ['codex'],
  packages: ['@openai/codex'],
  install: { kind: 'npm', packages: ['@openai/codex'] },
  installHint: 'npm install -g @openai/codex',
  loginHint: 'codex login',
  loginTraces: ['$CODEX_HOME/auth.json', '~/.codex/auth.json'],
  // The app server reads logins only; it gets the key as a separate provider.
  credentials: [
    { kind: 'api_key', variable: 'CODEX_API_KEY' },
    { kind: 'login', file: '$CODEX_HOME/auth.json', tells: loginKind },
    { kind: 'login', file: '~/.codex/auth.json', unless: 'CODEX_HOME', tells: loginKind },
  ],
  configFiles: ['$CODEX_HOME/config.toml', '~/.codex/config.toml'],
  testedVersions: ['0.171.0'],
  chatter: /^WARNING: proceeding, even though we could not create PATH aliases/,
  transport: 'codex app-server (JSON-RPC)',
  streamsIncrementally: true,
  toolActivity: 'full',
  tellsSubagents: true,
  access: {
    scoped: { native_sandbox: 'read-only', approvals: 'off', asks: true, gaps: ['read_outside'] },
    none: { native_sandbox: 'read-only', approvals: 'off', gaps: [] },
    read: { native_sandbox: 'read-only', approvals: 'off', asks: true, gaps: [] },
    edit: { native_sandbox: 'workspace-write', approvals: 'off', asks: true, gaps: [] },
    full: { native_sandbox: 'full', approvals: 'off', gaps: [] },
  },
  sandbox: {
    'read-only': { native_sandbox: 'read-only', approvals: 'off' },
    'workspace-write': { native_sandbox: 'workspace-write', approvals: 'off' },
  },
  // Its databases begin empty each time; `resume` finds the session all the same (0.171.0).
  confine: {
    state: [
      {
        at: '~/.codex',
        variable: 'CODEX_HOME',
        sessions: ['sessions'],
        config: ['config.toml', 'AGENTS.md', 'prompts', 'rules', 'skills'],
        logins: ['auth.json'],
      },
    ],
    nests: true,
  },
  toolTransport: 'native',
  parallelCalls: true,
  // The middle of longer ones is left out (0.171).
  toolResultLimit: 11_500,
  resume: true,
  effort: true,
  maxTurns: false,
  reportsCost: false,
  silentRetries: false,
  promptInArgv: false,
  decidesPerCommand: true,
  steer: true,
  asksQuestions: true,
  // config.toml names the provider of the login; the global AGENTS.md and *.rules have no switch in the app server.
  settingsLoaded: ['user config.toml', 'user AGENTS.md', 'user rules'],
  nesting: [
    'CODEX_CI',
    'CODEX_SANDBOX*',
    'CODEX_SESSION_ID',
    'CODEX_THREAD_ID',
    'CODEX_TOOL_CALL_ID',
    'CODEX_VERSION',
    'CODEX_MANAGED_*',
    'CODEX_INTERNAL_ORIGINATOR_OVERRIDE',
  ],
  // A provider of config.toml names the variable of its key (`env_key`); these are the ones its documents use.
  keys: [
    'OPENAI_API_KEY',
    'OPENAI_BASE_URL',
    'OPENAI_ORGANIZATION',
    'OPENAI_PROJECT',
    'CODEX_API_KEY',
    'CODEX_ACCESS_TOKEN',
    'AZURE_OPENAI_API_KEY',
    'OPENROUTER_API_KEY',
    'MISTRAL_API_KEY',
    'GROQ_API_KEY',
    'DEEPSEEK_API_KEY',
    'TOGETHER_API_KEY',
  ],
  version: { args: ['--version'], pattern: /codex-cli (\d+\.\d+\.\d+\S*)/ },
  // Dynamic tools are part of a new thread only: a thread that is resumed takes further tools as an MCP server.
  warm: { live: OUR_LIMITS },
  tools: (request) => (request.resume === null ? 'native' : 'mcp'),
  invoke,
  asksForSchema: true,
  images: true,
  models,
  quota,
  tellsServers: true,
  sessions,
  converse,
};

export default runner;
