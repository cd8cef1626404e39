/** A permission policy: rules over what native tools do, the same for every runtime. `schemas/policy.json` says the same. */

import type { ToolKind } from './vocabulary.js';

export const POLICY_DECISIONS = ['allow', 'deny', 'ask'] as const;
/** What a rule decides. `ask`: the host is asked where it wants to be, else it is denied. */
export type PolicyDecision = (typeof POLICY_DECISIONS)[number];

/** One rule. Everything it names must fit; what it leaves out fits all. Of several values one must fit. */
export interface PolicyRule {
  decision: PolicyDecision;
  /** What the call does. */
  kind?: ToolKind | readonly ToolKind[];
  /** Globs of paths (`*`, `**`, `?`): absolute, from `~/`, else from the working folder. */
  path?: string | readonly string[];
  /** How a shell command begins, word by word. */
  command?: string | readonly string[];
  /** A whole shell command, word by word. */
  command_exactly?: string | readonly string[];
  /** Hosts of a web call, or that a command names: `example.com`, or `*.example.com` for it and all below. */
  host?: string | readonly string[];
  /** MCP servers by name. */
  server?: string | readonly string[];
  /** Tools by name; with `server` those of an MCP server. */
  tool?: string | readonly string[];
  /** Ids of runtimes. */
  runtime?: string | readonly string[];
}

/** The first rule that fits decides, else `default`, else the access mode. */
export interface Policy {
  rules: readonly PolicyRule[];
  default?: PolicyDecision;
}
