import { KEYS } from '../model/texts.js';
import { type Recipe, untoldServers } from './recipe.js';

const NO_PLAN = 'it keeps its task list with several tools, of which its protocol tells single calls alone';

/** It talks to its vendor's service alone; the lab stands in for that one. The session is what a login would store. */
export const auggie: Recipe = {
  runtime: 'auggie',
  model: 'mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({
    env: {
      AUGMENT_SESSION_AUTH: JSON.stringify({
        accessToken: KEYS.openai,
        tenantURL: `${url}/`,
        scopes: ['read', 'write'],
      }),
    },
    files: {},
  }),
  noLogin: () => ({ env: {}, files: {} }),
  limits: {
    ...untoldServers,
    'text.model': 'its service tells it which models there are, in a form nobody has documented',
    'git-log.told': 'its rules allow or deny its shell, not single commands: at this mode it has none',
    'plan.offered': NO_PLAN,
    'plan.plan': NO_PLAN,
    'subagent.offered': 'it offers no subagents',
    'subagent.events': 'it offers no subagents',
    'subagent.apart': 'it offers no subagents',
    'think.thinking': 'how its service tells thoughts nobody has documented',
    'think.thoughts': 'how its service tells thoughts nobody has documented',
    'text.usage-input': 'it tells no usage over its protocol',
    'text.usage-output': 'it tells no usage over its protocol',
  },
};
