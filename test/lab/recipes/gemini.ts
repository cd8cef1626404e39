import { KEYS } from '../model/texts.js';
import { type Recipe, untoldServers } from './recipe.js';

export const gemini: Recipe = {
  runtime: 'gemini',
  model: 'gemini-2.5-flash',
  modelAtServer: 'gemini-2.5-flash',
  setup: ({ url }) => ({
    env: { GEMINI_API_KEY: KEYS.gemini, GOOGLE_GEMINI_BASE_URL: url },
    files: { '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }) },
  }),
  noLogin: () => ({ env: {}, files: {} }),
  foreignKey: 'OPENAI_API_KEY',
  limits: {
    ...untoldServers,
    'text.usage-output': 'its own count leaves out reasoning tokens, so none is reported',
    'think.thoughts': 'it sets thoughts anew, with line breaks of its own',
    'shell-full.output': 'over its protocol the output of a shell command goes to the model only',
    'plan.plan': 'over its protocol the list itself goes to the model only',
    'tool-big.exit': 'it repeats refused arguments to its model and gives up when they are that large',
    'tool-big.told': 'it repeats refused arguments to its model and gives up when they are that large',
  },
};
