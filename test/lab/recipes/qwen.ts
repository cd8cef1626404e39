import { KEYS } from '../model/texts.js';
import type { Recipe } from './recipe.js';

export const qwen: Recipe = {
  runtime: 'qwen',
  model: 'mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({
    env: { OPENAI_API_KEY: KEYS.openai, OPENAI_BASE_URL: `${url}/v1` },
    files: { '.qwen/settings.json': JSON.stringify({ security: { auth: { selectedType: 'openai' } } }) },
  }),
  noLogin: () => ({ env: {}, files: {} }),
  silentRetries: 'it tries again for 100 s, says so only in a log below its own folder, and no setting ends that',
  limits: {
    'tool-big.told': 'it repeats refused arguments to its model and puts into a file what is that large',
    'plan.offered': 'it has no tool for plans',
    'plan.plan': 'it has no tool for plans',
  },
};
