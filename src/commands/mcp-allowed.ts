/** What the flags of `turnout mcp` and of `/mcp` say that callers may do. */

import { UsageError } from '../contract/error.js';
import { ACCESS_MODES } from '../contract/vocabulary.js';
import type { McpAllowed } from '../serve/mcp/settings.js';

export const APPROVALS = ['ask', 'caller', 'deny'] as const;

/** oclif has checked the word; this tells the compiler. */
function word<Word extends string>(flag: string, given: string, words: readonly Word[]): Word {
  const found = words.find((one) => one === given);
  if (found === undefined) throw new UsageError(`--${flag} is one of ${words.join(', ')}`);
  return found;
}

/** @throws {UsageError} */
export function mcpAllowed(flags: {
  runtime: string;
  access: string;
  approvals: string;
  maxDepth: number | undefined;
}): McpAllowed {
  const { runtime, access, approvals, maxDepth } = flags;
  return {
    runtime,
    access: word('access', access, ACCESS_MODES),
    approvals: word('approvals', approvals, APPROVALS),
    maxDepth,
  };
}
