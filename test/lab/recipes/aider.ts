import { KEYS } from '../model/texts.js';
import { type Recipe, untoldServers } from './recipe.js';

const noSessions = 'it has no sessions';
const noTools =
  'its model has no tools: it writes edits into its answer, and a command that it suggests waits for a person';

export const aider: Recipe = {
  runtime: 'aider',
  model: 'openai/mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({ env: { OPENAI_API_KEY: KEYS.openai, OPENAI_API_BASE: `${url}/v1` }, files: {} }),
  noLogin: () => ({ env: {}, files: {} }),
  silentRetries: 'it announces each try among the words of its model, where nothing may be read from',
  limits: {
    'walls.control': 'its model has no shell: it edits by what it answers',
    ...untoldServers,
    'text.deltas': 'its answer is read from its log when it is over',
    'text.session': noSessions,
    'resume.session': noSessions,
    'resume-unknown.code': noSessions,
    'tool-resume.session': noSessions,
    'sessions.exit': noSessions,
    'shell-full.disk': noTools,
    'shell-full.activity': noTools,
    'shell-full.input': noTools,
    'shell-full.output': noTools,
    'shell-full.told': noTools,
    'write-full.disk': noTools,
    'write-full.kind': noTools,
    'git-log.told': noTools,
    'plan.offered': noTools,
    'plan.plan': noTools,
    'subagent.offered': noTools,
    'subagent.events': noTools,
    'subagent.apart': noTools,
    'think.thinking': 'what its model thinks is not in its log',
    'think.thoughts': 'what its model thinks is not in its log',
  },
};
