import { KEYS } from '../model/texts.js';
import type { Recipe } from './recipe.js';

/** Shared with the program that was made from this one. */
export const providerConfig = (url: string): string =>
  JSON.stringify({
    provider: {
      mock: {
        npm: '@ai-sdk/openai-compatible',
        name: 'mock',
        options: { baseURL: `${url}/v1`, apiKey: KEYS.openai },
        models: {
          'mock-model': {
            name: 'mock-model',
            limit: { context: 400_000, output: 8000 },
            reasoning: true,
            tool_call: true,
            attachment: true,
            modalities: { input: ['text', 'image'], output: ['text'] },
          },
        },
      },
    },
  });

export const opencode: Recipe = {
  runtime: 'opencode',
  model: 'mock/mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({ env: {}, files: { '.config/opencode/opencode.json': providerConfig(url) } }),
  noLogin: () => ({ env: {}, files: {} }),
  limits: {
    'no-login.code':
      'without a provider it says that the model is not found, whether a login or the provider is missing',
    'no-login.hint':
      'without a provider it says that the model is not found, whether a login or the provider is missing',
    'test.logged-out':
      'without a provider it says that the model is not found, whether a login or the provider is missing',
  },
};
