import { KEYS } from '../model/texts.js';
import type { Recipe } from './recipe.js';

/** With a provider of one's own no vendor login is needed; all of it is variables. */
export const copilot: Recipe = {
  runtime: 'copilot',
  model: 'mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({
    env: {
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: KEYS.openai,
      COPILOT_MODEL: 'mock-model',
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '400000',
    },
    files: {},
  }),
  noLogin: () => ({ env: {}, files: {} }),
  foreignKey: 'ANTHROPIC_API_KEY',
  limits: {
    'plan.offered': 'it keeps its plan in a database and a file of its own and offers no tool for it',
    'plan.plan': 'it keeps its plan in a database and a file of its own and offers no tool for it',
  },
};
