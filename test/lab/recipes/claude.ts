import { KEYS } from '../model/texts.js';
import type { Recipe } from './recipe.js';

export const claude: Recipe = {
  runtime: 'claude',
  model: 'claude-sonnet-4-6',
  roomyModel: 'claude-sonnet-4-6[1m]',
  modelAtServer: 'claude-sonnet-4-6',
  setup: ({ url }) => ({
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEYS.anthropic },
    files: {},
  }),
  noLogin: ({ url }) => ({ env: { ANTHROPIC_BASE_URL: url }, files: {} }),
  foreignKey: 'OPENAI_API_KEY',
  limits: {},
};
