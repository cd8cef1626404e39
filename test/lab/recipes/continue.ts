import { KEYS } from '../model/texts.js';
import { noServers, promptInArgument, type Recipe } from './recipe.js';

const LATE = 'it tells of its own tools only when it is done';

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
    ...noServers,
    ...promptInArgument,
    'drop.text': 'it keeps the text of an answer that broke off in front of the next one',
    'think.thinking': 'it leaves thinking out',
    'think.thoughts': 'it leaves thinking out',
    'cancel-tool.exit': LATE,
    'cancel-tool.code': LATE,
    'cancel-tool.time': LATE,
    'cancel-tool.closed': LATE,
    'max-turns.exit': LATE,
    'max-turns.stop-reason': LATE,
    'max-turns.rounds': LATE,
    'stdout-closed.time': 'it prints nothing before its end, and a closed stdout is noticed when something is written',
    'text.deltas': 'it prints its answer at the end, in one piece',
    'git-log.told': 'its shell can be left out or allowed, not judged command by command: at this mode it has none',
    'plan.offered': 'its checklist is a text, not a list of steps with a status each',
    'plan.plan': 'its checklist is a text, not a list of steps with a status each',
    'subagent.offered': 'it has no subagents until its user writes some',
    'subagent.events': 'it has no subagents until its user writes some',
    'subagent.apart': 'it has no subagents until its user writes some',
  },
};
