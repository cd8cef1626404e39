import { KEYS } from '../model/texts.js';
import type { Recipe } from './recipe.js';

export const claude: Recipe = {
  runtime: 'claude',
  model: 'claude-sonnet-4-6',
  modelAtServer: 'claude-sonnet-4-6',
  // A large tool call must not make it summarize the conversation: that would be another scenario.
  setup: ({ url }) => ({
    env: { DISABLE_AUTO_COMPACT: '1', ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEYS.anthropic },
    files: {},
  }),
  noLogin: ({ url }) => ({ env: { ANTHROPIC_BASE_URL: url }, files: {} }),
  foreignKey: 'OPENAI_API_KEY',
  limits: {},
};
