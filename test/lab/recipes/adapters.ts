import { claude } from './claude.js';
import { codex } from './codex.js';
import { type Recipe, untoldServers } from './recipe.js';

const { foreignKey: _anthropic, ...codexHere } = codex;
const { foreignKey: _openai, ...claudeHere } = claude;

const NO_PLAN = 'it offers no tool for plans to a model it does not know';
const TOO_SOON = 'it asks its model without waiting for a server that takes seconds to start';

const subagents = {
  'subagent.events': 'over its protocol the work of a subagent is told as one tool call',
};

/** Adapters that put the Agent Client Protocol around a program: the runtime is their command line. */
export const claudeAgentAcp: Recipe = {
  ...claudeHere,
  runtime: 'acp',
  program: 'claude-agent-acp',
  asCommand: true,
  limits: { ...untoldServers, ...subagents },
};
export const codexAcp: Recipe = {
  ...codexHere,
  runtime: 'acp',
  program: 'codex-acp',
  asCommand: true,
  limits: {
    ...untoldServers,
    ...subagents,
    'think.thoughts': 'it puts line breaks of its own in front of thoughts',
    'plan.offered': NO_PLAN,
    'plan.plan': NO_PLAN,
    'drop.text': 'it asks again after a cut and repeats the beginning in another message, without a mark',
    'mcp-everything.offered': TOO_SOON,
    'mcp-everything.told': TOO_SOON,
  },
};
