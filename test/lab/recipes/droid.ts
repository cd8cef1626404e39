import { KEYS } from '../model/texts.js';
import { type Recipe, untoldServers } from './recipe.js';

/** A model of one's own in the user's settings needs no vendor login. */
export const droid: Recipe = {
  runtime: 'droid',
  model: 'custom:Mock-0',
  modelAtServer: 'mock-model',
  vendorModel: 'claude-opus-5',
  setup: ({ url }) => ({
    env: { FACTORY_AIRGAP_ENABLED: '1' },
    files: {
      '.factory/settings.json': JSON.stringify({
        customModels: [
          {
            model: 'mock-model',
            displayName: 'Mock',
            baseUrl: `${url}/v1`,
            apiKey: KEYS.openai,
            provider: 'generic-chat-completion-api',
            maxOutputTokens: 4096,
            noImageSupport: false,
          },
        ],
        cloudSessionSync: false,
      }),
    },
  }),
  noLogin: () => ({ env: {}, files: {} }),
  limits: { ...untoldServers },
};
