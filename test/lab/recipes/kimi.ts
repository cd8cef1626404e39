import { KEYS } from '../model/texts.js';
import { type Recipe, untoldServers } from './recipe.js';

const config = (url: string, type: string): string => `default_model = "mock-model"

[providers.mock]
type = "${type}"
base_url = "${url}/v1"
api_key = "${KEYS.openai}"

[models.mock-model]
provider = "mock"
model = "mock-model"
max_context_size = 400000
capabilities = ["thinking", "image_in"]
`;

const usage = 'over its protocol it tells how full its context is, not what was used';
const limits = {
  'text.usage-input': usage,
  'text.usage-output': usage,
  '429.code': 'after its tries it ends the turn without a word, as if it had answered',
};

export const kimi: Recipe = {
  runtime: 'kimi',
  model: 'mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({ env: {}, files: { '.kimi-code/config.toml': config(url, 'openai') } }),
  noLogin: () => ({ env: {}, files: {} }),
  limits,
};

/** Over its protocol it wants a login with its own vendor, whatever provider is configured; it looks only whether there is one. */
const login = JSON.stringify({
  access_token: 'made-up',
  refresh_token: 'made-up',
  expires_at: 4_102_444_800,
  scope: '',
  token_type: 'Bearer',
  expires_in: 3600,
});

export const kimiOlder: Recipe = {
  runtime: 'kimi',
  label: 'kimi-cli',
  program: 'kimi-cli',
  model: 'mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({
    env: {},
    files: { '.kimi/config.toml': config(url, 'openai_legacy'), '.kimi/credentials/kimi-code.json': login },
  }),
  noLogin: () => ({ env: {}, files: {} }),
  limits: {
    ...untoldServers,
    ...limits,
    '401.code': 'a call that failed ends its turn without a word',
    'mcp-config.refused': 'it calls the tools of servers by bare names, which its own tools may have too',
    'mcp-everything.refused': 'it calls the tools of servers by bare names, which its own tools may have too',
  },
};
