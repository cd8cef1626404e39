/** Gemini CLI over ACP: deltas, thoughts, permission questions and MCP servers for one session. */

import type { Json } from '../../src/contract/vocabulary.js';
import type { CredentialKind } from '../../src/runner/credential.js';
import { OUR_LIMITS } from '../../src/runner/request.js';
import type { Runner } from '../../src/runner/runner.js';
import { str } from '../../src/text/json.js';
import { acp } from '../dialects/acp/index.js';
import { invoke } from './invoke.js';
import { quirks } from './quirks.js';

const CHOICES: Readonly<Record<string, CredentialKind>> = {
  'oauth-personal': 'login',
  'gemini-api-key': 'api_key',
  'vertex-ai': 'cloud',
  'compute-default-credentials': 'cloud',
};

/** `security.auth.selectedType` of its settings (0.61.0). */
function chosenLogin(settings: Json): CredentialKind | null {
  return CHOICES[str(settings, 'security', 'auth', 'selectedType') ?? ''] ?? null;
}

const runner: Runner = {
  id: 'gemini',
  title: 'Gemini CLI',
  bins: ['gemini'],
  packages: ['@google/gemini-cli'],
  install: { kind: 'npm', packages: ['@google/gemini-cli'] },
  installHint: 'npm install -g @google/gemini-cli',
  loginHint: 'gemini',
  loginTraces: ['~/.gemini/oauth_creds.json'],
  // What was chosen at the login; without a choice, what it infers from variables.
  credentials: [
    { kind: 'login', file: '~/.gemini/settings.json', tells: chosenLogin },
    { kind: 'login', variable: 'GOOGLE_GENAI_USE_GCA' },
    { kind: 'cloud', variable: 'GOOGLE_GENAI_USE_VERTEXAI' },
    { kind: 'api_key', variable: 'GEMINI_API_KEY' },
    { kind: 'login', file: '~/.gemini/oauth_creds.json' },
  ],
  configFiles: ['~/.gemini/settings.json'],
  testedVersions: ['0.61.0'],
  transport: 'acp',
  streamsIncrementally: true,
  toolActivity: 'full',
  access: {
    // Its file tools follow links before they look where a path leads; a command that it asks us about may not.
    scoped: { native_sandbox: 'restricted', approvals: 'on', asks: true, gaps: ['read_outside'] },
    none: { native_sandbox: 'read-only', approvals: 'off', gaps: [] },
    read: { native_sandbox: 'restricted', approvals: 'on', asks: true, gaps: [] },
    edit: { native_sandbox: 'restricted', approvals: 'on', asks: true, gaps: [] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  sandbox: {},
  // Where it can't write projects.json it hangs without output (0.61.0).
  brokered: {
    key: 'GEMINI_API_KEY',
    address: 'GOOGLE_GEMINI_BASE_URL',
    vendor: 'https://generativelanguage.googleapis.com',
  },
  confine: {
    state: [
      {
        at: '~/.gemini',
        sessions: ['tmp', 'history'],
        config: ['settings.json', 'installation_id', 'GEMINI.md', 'extensions', 'trustedFolders.json'],
        logins: ['oauth_creds.json', 'google_accounts.json'],
      },
    ],
  },
  toolTransport: 'mcp',
  // It asks for several at once, but runs them one after another.
  parallelCalls: false,
  resume: true,
  effort: false,
  maxTurns: false,
  reportsCost: false,
  // Ten tries at 429 and 5xx, up to 214 s, announced in the file it logs into. Only a cut answer is asked for again in
  // silence: a repeat of more than a few words is found by its text.
  silentRetries: false,
  untoldEnds: ['max_tokens', 'refusal'],
  promptInArgv: false,
  decidesPerCommand: true,
  images: true,
  steer: false,
  // `.gemini/settings.json` and GEMINI.md of the project count only in a trusted folder, which MCP servers need too.
  settingsLoaded: ['user', 'project in a trusted folder'],
  chatter:
    /^(?:Skipping project agents|Ripgrep is not available|Project hooks disabled|\[[^\]]*\] \[LOG\] Registering |\[STARTUP\] |YOLO mode is enabled)/,
  nesting: ['GEMINI_CLI', 'GEMINI_CLI_ACTIVITY_LOG_TARGET', 'GEMINI_CLI_IDE_*'],
  keys: [
    'GEMINI_API_KEY',
    'GEMINI_API_KEY_AUTH_MECHANISM',
    'GOOGLE_API_KEY',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'GOOGLE_CLOUD_ACCESS_TOKEN',
    'GOOGLE_CLOUD_LOCATION',
    'GOOGLE_CLOUD_PROJECT',
    'GOOGLE_GEMINI_BASE_URL',
    'GOOGLE_GENAI_API_VERSION',
    'GOOGLE_GENAI_USE_GCA',
    'GOOGLE_GENAI_USE_VERTEXAI',
    'GOOGLE_VERTEX_BASE_URL',
  ],
  version: { args: ['--version'], pattern: /^(\d+\.\d+\.\d+\S*)/, env: { GEMINI_CLI_NO_RELAUNCH: 'true' } },
  tellsServers: true,
  warm: { live: OUR_LIMITS },
  tools: (request) => (request.toolsOn ? 'mcp' : 'none'),
  invoke,
  converse: (request, machine, living) => acp(request, machine, { quirks }, living),
};

export default runner;
