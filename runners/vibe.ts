/** Mistral Vibe over ACP (3.0.3): a separate program next to `vibe`. */

import type { TurnErrorCode } from '../src/contract/error.js';
import type { Json } from '../src/contract/vocabulary.js';
import type { Spent } from '../src/runner/action.js';
import { num } from '../src/text/json.js';
import { acpAgent } from './dialects/acp/agent.js';

/** Beside every `usage_update`: what the session has used so far, cached tokens among the input. */
function totals(params: Json): Spent | null {
  const told = (name: string) => num(params, 'update', '_meta', name);
  const input = told('promptTokens');
  const output = told('completionTokens');
  if (input === undefined || output === undefined || input + output === 0) return null;
  return { input, output, cached: told('cachedTokens') ?? null, costUsd: null };
}

/** "Invalid API key (from env var MISTRAL_API_KEY). Please check your API key and try again." */
const FAILURES: readonly (readonly [RegExp, TurnErrorCode])[] = [[/^Invalid API key\b/, 'auth']];

export default acpAgent({
  id: 'vibe',
  title: 'Mistral Vibe',
  bins: ['vibe-acp'],
  packages: ['mistral-vibe'],
  startupMs: 60_000,
  install: { kind: 'manual' },
  installHint: 'uv tool install mistral-vibe',
  loginHint: 'vibe --setup',
  configFiles: ['~/.vibe/config.toml', '~/.vibe/.env'],
  testedVersions: ['3.0.3'],
  version: { args: ['--version'], pattern: /(\d+\.\d+\.\d+\S*)/ },
  // The tools of a session's servers are offered to programs that its model writes, not to the model.
  toolTransport: 'prompt',
  effort: true,
  untoldEnds: ['refusal'],
  images: true,
  access: {
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
        at: '~/.vibe',
        variable: 'VIBE_HOME',
        sessions: ['logs'],
        config: [
          '.env',
          'config.toml',
          'trusted_folders.toml',
          'hooks.toml',
          'AGENTS.md',
          'agents',
          'prompts',
          'tools',
          'skills',
        ],
      },
    ],
  },
  settingsLoaded: ['user config.toml, skills and AGENTS.md', 'project AGENTS.md where the folder is trusted'],
  args: () => [],
  quirks: {
    title: 'Mistral Vibe',
    mcpNames: ['{server}_{tool}'],
    commandMarks: '/!',
    model: 'session',
    // Its own default accepts edits unasked.
    mode: { ids: { scoped: 'ask', full: 'auto-approve' }, required: true },
    efforts: { xhigh: 'max' },
    totals,
    classify: (error) => {
      const code = FAILURES.find(([pattern]) => pattern.test(error.message))?.[1];
      return code === undefined ? undefined : { code };
    },
  },
});
