import { KEYS } from '../model/texts.js';
import { type Recipe, untoldServers } from './recipe.js';

const llm = (url: string, usage: string): object => ({
  model: 'openai/mock-model',
  api_key: KEYS.openai,
  base_url: `${url}/v1`,
  usage_id: usage,
});

/** What its own settings screen writes, without what is default. */
const settings = (url: string): string =>
  JSON.stringify({
    kind: 'Agent',
    llm: llm(url, 'agent'),
    tools: ['terminal', 'file_editor', 'task_tracker', 'task_tool_set'].map((name) => ({ name, params: {} })),
    include_default_tools: ['FinishTool', 'ThinkTool'],
    system_prompt_kwargs: { cli_mode: true, llm_security_analyzer: true },
    condenser: { kind: 'LLMSummarizingCondenser', llm: llm(url, 'condenser'), max_size: 80, keep_first: 4 },
  });

export const openhands: Recipe = {
  runtime: 'openhands',
  model: null,
  modelAtServer: 'mock-model',
  // Without a network it would wait for the list of prices.
  setup: ({ url }) => ({
    env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
    files: { '.openhands/agent_settings.json': settings(url) },
  }),
  noLogin: () => ({ env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True' }, files: {} }),
  silentRetries: 'it tries five times in silence, with 8 s and more in between',
  limits: {
    ...untoldServers,
    'text.deltas': 'its answer comes whole',
    'git-log.told': 'it asks before everything and does not say before what, so nothing runs at this mode',
  },
};
