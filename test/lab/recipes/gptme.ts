import { KEYS } from '../model/texts.js';
import { type Recipe, untoldServers } from './recipe.js';

export const gptme: Recipe = {
  runtime: 'gptme',
  model: 'local/mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({ env: { OPENAI_API_KEY: KEYS.openai, OPENAI_BASE_URL: `${url}/v1` }, files: {} }),
  noLogin: () => ({ env: {}, files: {} }),
  limits: {
    ...untoldServers,
    'text.deltas': 'its messages come whole',
    'text.usage-input': 'it names its conversation by a model call that it does not count',
    'text.usage-output': 'it names its conversation by a model call that it does not count',
  },
};
