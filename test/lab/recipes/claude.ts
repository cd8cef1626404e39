import type { Recipe } from './recipe.js';

export const claude: Recipe = {
  runtime: 'claude',
  model: 'claude-sonnet-4-5',
  modelAtServer: 'claude-sonnet-4-5',
  setup: ({ url }) => ({
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'dummy' },
    files: {},
  }),
  noLogin: ({ url }) => ({ env: { ANTHROPIC_BASE_URL: url }, files: {} }),
  foreignKey: 'OPENAI_API_KEY',
  limits: {},
};
