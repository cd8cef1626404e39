import { KEYS } from '../model/texts.js';
import { noServers, promptInArgument, type Recipe } from './recipe.js';

const TEXT_ALONE = 'it tells a failure in text alone, which decides nothing but that the turn failed';
const NO_SESSION = 'it keeps no sessions';

/** The npm program of that name; the vendor's own is not on npm. */
export const grok: Recipe = {
  runtime: 'grok-cli',
  model: 'mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({ env: { GROK_API_KEY: KEYS.openai, GROK_BASE_URL: `${url}/v1` }, files: {} }),
  noLogin: () => ({ env: {}, files: {} }),
  limits: {
    ...noServers,
    ...promptInArgument,
    'think.thinking': 'it leaves thinking out',
    'think.thoughts': 'it leaves thinking out',
    'stdout-closed.time': 'it prints nothing before its end, and a closed stdout is noticed when something is written',
    'text.deltas': 'it prints its answer at the end, in one piece',
    'text.session': NO_SESSION,
    'text.usage-input': 'it tells no usage',
    'text.usage-output': 'it tells no usage',
    '401.code': TEXT_ALONE,
    'badkey.code': TEXT_ALONE,
    '429.code': TEXT_ALONE,
    'quota.code': TEXT_ALONE,
    'resume.session': NO_SESSION,
    'tool-resume.session': NO_SESSION,
    'resume-unknown.code': NO_SESSION,
  },
};
