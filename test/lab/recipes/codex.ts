import { KEYS } from '../model/texts.js';
import type { Recipe } from './recipe.js';

const codexConfig = (url: string): string => `model = "mock-model"
model_provider = "mock"

[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
`;

export const codex: Recipe = {
  runtime: 'codex',
  model: 'mock-model',
  modelAtServer: 'mock-model',
  // The user's config.toml names the provider, so it is part of the login and is read at every `--settings` value.
  setup: ({ url }) => ({ env: { MOCK_KEY: KEYS.openai }, files: { '.codex/config.toml': codexConfig(url) } }),
  noLogin: ({ url }) => ({ env: {}, files: { '.codex/config.toml': codexConfig(url) } }),
  foreignKey: 'ANTHROPIC_API_KEY',
  limits: {},
};

/** A model that the program knows gets one tool that runs scripts, and all others inside: what most users have. */
export const codexScripts: Recipe = {
  ...codex,
  label: 'codex-scripts',
  model: 'gpt-6.2-sol',
  modelAtServer: 'gpt-6.2-sol',
  limits: {},
};
