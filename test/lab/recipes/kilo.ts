import { providerConfig } from './opencode.js';
import { type Recipe, untoldServers } from './recipe.js';

export const kilo: Recipe = {
  runtime: 'kilo',
  model: 'mock/mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({ env: {}, files: { '.config/kilo/kilo.json': providerConfig(url) } }),
  noLogin: () => ({ env: {}, files: {} }),
  limits: { ...untoldServers },
};
