import { KEYS } from '../model/texts.js';
import { promptInArgument, type Recipe } from './recipe.js';

const config = (url: string): string => `name: lab
version: 1.0.0
schema: v1
models:
  - name: mock-model
    provider: openai
    model: mock-model
    apiBase: ${url}/v1
    apiKey: ${KEYS.openai}
    roles: [chat]
`;

export const continueRecipe: Recipe = {
  runtime: 'continue',
  model: 'mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({ env: {}, files: { '.continue/config.yaml': config(url) } }),
  noLogin: () => ({ env: {}, files: {} }),
  silentRetries: 'it tries again for 107 s after a failure of the server and longer at a rate limit, without a word',
  limits: {
    ...promptInArgument,
    'text.deltas': 'it prints its answer at the end, in one piece',
    'git-log.told': 'its shell can be left out or allowed, not judged command by command: at this level it has none',
  },
};
