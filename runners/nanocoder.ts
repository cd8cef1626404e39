/** Nanocoder over ACP (1.30.0). It ignores the servers of a session, so the caller's tools come through the prompt. */

import { num, str } from '../src/text/json.js';
import { acpAgent } from './dialects/acp/agent.js';
import { type Failure, type LogReader, usageOfTurn } from './dialects/acp/index.js';

// "Authentication failed: Invalid API key or credentials", "Rate limit exceeded: Too many requests. …"
const PATTERNS: readonly (readonly [RegExp, Failure['code']])[] = [
  [/^Authentication failed: /, 'auth'],
  [/^Rate limit( exceeded)?: /, 'rate-limited'],
];

const log = (): LogReader => ({
  read: (line) =>
    /^\[nanocoder\] ACP initialization failed: No providers configured\b/.test(line)
      ? [{ fact: 'hopeless', code: 'auth', message: 'no provider is configured; run nanocoder once' }]
      : [],
});

export default acpAgent({
  id: 'nanocoder',
  title: 'Nanocoder',
  bins: ['nanocoder'],
  packages: ['@nanocollective/nanocoder'],
  install: { kind: 'npm', packages: ['@nanocollective/nanocoder'] },
  installHint: 'npm install -g @nanocollective/nanocoder',
  loginHint: 'nanocoder',
  testedVersions: ['1.30.0'],
  toolTransport: 'prompt',
  silentRetries: false,
  settingsLoaded: ['user', 'project agents.config.json'],
  version: { args: ['--version'], pattern: /^(\d+\.\d+\.\d+\S*)/ },
  access: {
    // In the mode `normal` it asks for shell, files and git; what the user's own subagents may do is unverified.
    scoped: {
      native_sandbox: 'restricted',
      approvals: 'on',
      asks: true,
      gaps: ['read_outside', 'write', 'shell', 'network'],
    },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  confine: {
    state: [
      {
        at: '~/.config/nanocoder',
        variable: 'XDG_CONFIG_HOME',
        below: 'nanocoder',
        config: ['agents.config.json', 'nanocoder-preferences.json', '.mcp.json', 'commands', 'agents', 'skills'],
      },
      { at: '~/.local/share/nanocoder', variable: 'XDG_DATA_HOME', below: 'nanocoder', sessions: ['sessions'] },
    ],
  },
  args: () => ['--acp'],
  env: () => ({ NANOCODER_TRUST_DIRECTORY: '1' }),
  quirks: {
    title: 'Nanocoder',
    mcpNames: [],
    nameInTitle: /^([\w.-]+)(?:: |$)/,
    continueBy: 'resume',
    // Its own default accepts edits unasked.
    mode: { ids: { scoped: 'normal', full: 'yolo' }, required: true },
    model: 'session',
    planFromTodos: true,
    notModel: /^\n\n(\*\*Error:\*\* [^\n]+|_Cancelled by user\._)\n$/,
    tokens: (result, calls) => (num(result, 'usage', 'totalTokens') ? usageOfTurn(result, calls) : null),
    log,
    classify(error, where) {
      const details = str(error.data, 'details');
      if (where !== 'prompt' || details === undefined) return undefined;
      const code = PATTERNS.find(([pattern]) => pattern.test(details))?.[1] ?? 'runner-error';
      return { code, message: details };
    },
  },
});
