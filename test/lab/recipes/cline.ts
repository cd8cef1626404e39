import { KEYS } from '../model/texts.js';
import { promptInArgument, type Recipe, untoldServers } from './recipe.js';

/** On a machine with a network that service answers, and refuses. */
const NO_VENDOR = 'without a provider of its own it asks its vendor, whose service is not to be reached from here';
const TOO_SOON = 'it asks its model without waiting for a server that takes seconds to start';
const NO_SESSION = 'its stream names no session, and its own option to go on with one always fails';

/** What `cline auth` would store; the base URL can be given in no other way. */
export const cline: Recipe = {
  runtime: 'cline',
  model: 'mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({
    env: {},
    files: {
      '.cline/data/settings/providers.json': JSON.stringify({
        version: 1,
        lastUsedProvider: 'openai-compatible',
        modes: {},
        providers: {
          'openai-compatible': {
            settings: { provider: 'openai-compatible', apiKey: KEYS.openai, model: 'mock-model', baseUrl: `${url}/v1` },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      }),
    },
  }),
  noLogin: () => ({ env: {}, files: {} }),
  limits: {
    ...untoldServers,
    ...promptInArgument,
    'text.session': NO_SESSION,
    'resume.session': NO_SESSION,
    'tool-resume.session': NO_SESSION,
    'tool-big.told': 'it summarizes a conversation that is too long for the window it takes a model to have',
    'no-login.code': NO_VENDOR,
    'no-login.hint': NO_VENDOR,
    'test.logged-out': NO_VENDOR,
    'mcp-everything.offered': TOO_SOON,
    'mcp-everything.told': TOO_SOON,
    'plan.offered': 'it offers no tool for plans',
    'plan.plan': 'it offers no tool for plans',
    'resume-unknown.code': NO_SESSION,
    'git-log.told': 'its shell can be left out or allowed, not judged command by command: at this mode it has none',
  },
};
