import { KEYS } from '../model/texts.js';
import { noServers, type Recipe } from './recipe.js';

/** What `letta backend local` and `letta connect` would store. */
export const letta: Recipe = {
  runtime: 'letta',
  model: 'openai-compatible/mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({
    env: {},
    files: {
      '.letta/settings.json': JSON.stringify({ preferredBackendMode: 'local' }),
      '.letta/lc-local-backend/providers/auth.json': JSON.stringify({
        version: 1,
        providers: {
          'openai-compatible': {
            id: 'local-provider-openai-compatible',
            name: 'openai-compatible',
            provider_type: 'openai-compatible',
            provider_category: 'byok',
            auth: { type: 'api', key: KEYS.openai },
            base_url: `${url}/v1`,
            created_at: '2026-01-01T00:00:00.000Z',
            updated_at: '2026-01-01T00:00:00.000Z',
          },
        },
      }),
    },
  }),
  noLogin: () => ({ env: {}, files: {} }),
  limits: {
    ...noServers,
  },
};
