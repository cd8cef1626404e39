import { KEYS } from '../model/texts.js';
import type { Recipe } from './recipe.js';

export const pi: Recipe = {
  runtime: 'pi',
  model: 'mock/mock-model',
  modelAtServer: 'mock-model',
  vendorModel: 'anthropic/claude-sonnet-4-5',
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
  limits: {
    'plan.offered': 'it has no tool for plans',
    'plan.plan': 'it has no tool for plans',
    'subagent.offered': 'it has no subagents',
    'subagent.events': 'it has no subagents',
    'subagent.apart': 'it has no subagents',
  },
};
