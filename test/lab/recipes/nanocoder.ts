import { KEYS } from '../model/texts.js';
import { noServers, type Recipe } from './recipe.js';

export const nanocoder: Recipe = {
  runtime: 'nanocoder',
  model: 'mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({
    env: {},
    files: {
      '.config/nanocoder/agents.config.json': JSON.stringify({
        nanocoder: { providers: [{ name: 'mock', baseUrl: `${url}/v1`, apiKey: KEYS.openai, models: ['mock-model'] }] },
      }),
    },
  }),
  noLogin: () => ({ env: {}, files: {} }),
  limits: {
    ...noServers,
    'text.deltas': 'it passes an answer on in one piece',
    'subagent.events': 'it has no subagents until its user writes some',
  },
};
