import { KEYS } from '../model/texts.js';
import { type Recipe, untoldServers } from './recipe.js';

const config = (url: string): string => `model:
  default: mock-model
  provider: custom
  base_url: ${url}/v1
  api_key: ${KEYS.openai}
`;

export const hermes: Recipe = {
  runtime: 'hermes',
  model: 'custom:mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({ env: {}, files: { '.hermes/config.yaml': config(url) } }),
  noLogin: () => ({ env: {}, files: {} }),
  limits: { ...untoldServers },
};
