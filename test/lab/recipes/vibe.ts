import { KEYS } from '../model/texts.js';
import { type Recipe, untoldServers } from './recipe.js';

const config = (url: string): string => `active_model = "mock-model"
enable_telemetry = false
enable_auto_update = false

[[providers]]
name = "mock"
api_base = "${url}/v1"
api_key_env_var = "LAB_KEY"
api_style = "openai"
backend = "generic"

[[models]]
name = "mock-model"
provider = "mock"
alias = "mock-model"
`;

export const vibe: Recipe = {
  runtime: 'vibe',
  model: 'mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({
    env: {},
    files: { '.vibe/config.toml': config(url), '.vibe/.env': `LAB_KEY=${KEYS.openai}\n` },
  }),
  noLogin: ({ url }) => ({ env: {}, files: { '.vibe/config.toml': config(url) } }),
  silentRetries: 'it tries more than ten times in silence, for two minutes and longer',
  limits: {
    ...untoldServers,
    'mcp-config.offered': 'tools of a server are offered to the programs that its model writes',
    'mcp-config.told': 'tools of a server are offered to the programs that its model writes',
  },
};
