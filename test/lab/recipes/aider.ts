import { KEYS } from '../model/texts.js';
import type { Recipe } from './recipe.js';

export const aider: Recipe = {
  runtime: 'aider',
  model: 'openai/mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({ env: { OPENAI_API_KEY: KEYS.openai, OPENAI_API_BASE: `${url}/v1` }, files: {} }),
  noLogin: () => ({ env: {}, files: {} }),
  limits: {},
};
