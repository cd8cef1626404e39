import { KEYS } from '../model/texts.js';
import type { Recipe } from './recipe.js';

/** The npm program of that name; the vendor's own is not on npm. */
export const grok: Recipe = {
  runtime: 'grok-cli',
  model: 'mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({ env: { GROK_API_KEY: KEYS.openai, GROK_BASE_URL: `${url}/v1` }, files: {} }),
  noLogin: () => ({ env: {}, files: {} }),
  limits: {},
};
