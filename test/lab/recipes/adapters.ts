import { claude } from './claude.js';
import { codex } from './codex.js';
import type { Recipe } from './recipe.js';

const subagents = {
  'subagent.events': 'over its protocol the work of a subagent is told as one tool call',
};

/** Adapters that put the Agent Client Protocol around a program: the runtime is their command line. */
export const claudeAgentAcp: Recipe = {
  ...claude,
  runtime: 'acp',
  program: 'claude-agent-acp',
  asCommand: true,
  limits: { ...subagents },
};
export const codexAcp: Recipe = {
  ...codex,
  runtime: 'acp',
  program: 'codex-acp',
  asCommand: true,
  limits: { ...subagents },
};
