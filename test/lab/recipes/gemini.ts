import { KEYS } from '../model/texts.js';
import type { Recipe } from './recipe.js';

export const gemini: Recipe = {
  runtime: 'gemini',
  model: 'gemini-2.5-flash',
  modelAtServer: 'gemini-2.5-flash',
  setup: ({ url }) => ({
    env: { GEMINI_API_KEY: KEYS.gemini, GOOGLE_GEMINI_BASE_URL: url },
    files: { '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }) },
  }),
  noLogin: () => ({ env: {}, files: {} }),
  foreignKey: 'OPENAI_API_KEY',
  limits: {},
};
