import { KEYS } from '../model/texts.js';
import type { Recipe } from './recipe.js';

export const pi: Recipe = {
  runtime: 'pi',
  model: 'mock/mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({
    env: {},
    files: {
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          mock: {
            baseUrl: `${url}/v1`,
            api: 'openai-completions',
            apiKey: KEYS.openai,
            models: [{ id: 'mock-model', reasoning: true, input: ['text', 'image'] }],
          },
        },
      }),
    },
  }),
  noLogin: () => ({ env: {}, files: {} }),
  limits: {},
};
