/** Adapters that put ACP around a vendor's program, and are given as a command line: what is known beyond the protocol. */

import { str } from '../../../src/text/json.js';
import type { AcpAgent } from './agent.js';
import type { Failure } from './quirks.js';
import { usageOfTurn, usageWithThoughts } from './tokens.js';

export type Adapter = Pick<AcpAgent, 'title' | 'access'> &
  Partial<Pick<AcpAgent, 'env' | 'loginHint' | 'silentRetries' | 'reportsCost'>> & {
    quirks: Partial<AcpAgent['quirks']>;
  };

/** claude-agent-acp 0.101.0. By default a classifier decides, and no one is asked. */
const claude: Adapter = {
  title: 'Claude Code (ACP adapter)',
  loginHint: 'claude auth login',
  access: {
    scoped: { native_sandbox: 'turnout', approvals: 'n/a', asks: true, gaps: ['read_outside'] },
    full: { native_sandbox: 'full', approvals: 'off', gaps: [] },
  },
  silentRetries: false,
  reportsCost: true,
  env: ({ model }) => ({
    // The variable puts a model into its list; without it only its own short names can be chosen.
    ...(model === null ? {} : { ANTHROPIC_MODEL: model }),
    // Tools of a session's servers would hide behind a search.
    ENABLE_TOOL_SEARCH: 'false',
    // The default would be ten tries without output, three minutes.
    CLAUDE_CODE_MAX_RETRIES: '3',
  }),
  quirks: {
    mcpNames: ['mcp__{server}__{tool}'],
    // At full access we answer its questions with yes: it refuses to bypass them for root.
    mode: { ids: { scoped: ['default'], full: ['default'] }, required: true },
    namesItsMessages: true,
    tokens: usageOfTurn,
    sessionCost: true,
    classify(error): Failure | undefined {
      return str(error.data, 'errorKind') === 'rate_limit' ? { code: 'rate-limited' } : undefined;
    },
  },
};

/** codex-acp 2.6.0, and 0.16.0 under its older names for modes. */
const codex: Adapter = {
  title: 'Codex (ACP adapter)',
  loginHint: 'codex login',
  access: {
    scoped: { native_sandbox: 'read-only', approvals: 'off', asks: true, gaps: ['read_outside'] },
    full: { native_sandbox: 'full', approvals: 'off', gaps: [] },
  },
  silentRetries: false,
  env: () => ({ NO_BROWSER: '1' }),
  quirks: {
    mcpNames: ['mcp.{server}.{tool}'],
    // By default its own model decides.
    mode: { ids: { scoped: ['read-only'], full: ['agent-full-access', 'full-access'] }, required: true },
    namesItsMessages: true,
    keepAllowing: ['allow_session'],
    tokens: usageWithThoughts,
    classify(error): Failure | undefined {
      if (str(error.data, 'codexErrorInfo') === 'usageLimitExceeded') return { code: 'quota' };
      if (/^exceeded retry limit, last status: 429\b/.test(error.message)) return { code: 'rate-limited' };
      return /^Missing environment variable: /.test(error.message) ? { code: 'auth' } : undefined;
    },
  },
};

const PROGRAM = /(?:^|[\\/])(claude-agent-acp|codex-acp)(?:@[\d.]+)?(?:\.(?:[cm]?js|cmd|exe))?$/;

/** @param words a command line; the adapter may be the program itself or the package that a package runner runs */
export function adapterIn(words: readonly string[]): Adapter | undefined {
  for (const word of words) {
    const name = PROGRAM.exec(word)?.[1];
    if (name !== undefined) return name === 'codex-acp' ? codex : claude;
  }
  return undefined;
}
