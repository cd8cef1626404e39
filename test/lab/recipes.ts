/**
 * How each real program is pointed at the scripted model: a model name, variables, and files in a scratch home.
 * Configuration goes into files where the program allows it, because a runner may need the variables for itself.
 */
export interface Point {
  /** `http://127.0.0.1:PORT` */
  url: string;
  home: string;
}

export interface Setup {
  env: Record<string, string>;
  /** Path below the scratch home → content. */
  files: Record<string, string>;
}

export interface Recipe {
  runtime: string;
  /** Part of the package: nothing to install. */
  builtin?: true;
  /** The value for `--model`. */
  model: string;
  /** The model name that arrives at the server. */
  modelAtServer: string;
  setup(point: Point): Setup;
  /** The same without any login or key, as a new user has it. */
  noLogin(point: Point): Setup;
  /** Checks this program can not pass, as `scenario.check`, each with the documented reason. */
  limits: Record<string, string>;
}

/** `CLAUDE_CLI_BIN` for `claude`: how a caller names the binary to use. */
export function binVariable(runtime: string): string {
  return `${runtime.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_CLI_BIN`;
}

const claude: Recipe = {
  runtime: 'claude',
  model: 'claude-sonnet-4-5',
  modelAtServer: 'claude-sonnet-4-5',
  setup: ({ url }) => ({
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'dummy' },
    files: {},
  }),
  noLogin: ({ url }) => ({ env: { ANTHROPIC_BASE_URL: url }, files: {} }),
  limits: {},
};

const codexConfig = (url: string): string => `model = "mock-model"
model_provider = "mock"

[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
`;

const codex: Recipe = {
  runtime: 'codex',
  model: 'mock-model',
  modelAtServer: 'mock-model',
  // The user's config.toml names the provider, so it is part of the login and is read at every `--settings` value.
  setup: ({ url }) => ({ env: { MOCK_KEY: 'dummy' }, files: { '.codex/config.toml': codexConfig(url) } }),
  noLogin: ({ url }) => ({ env: {}, files: { '.codex/config.toml': codexConfig(url) } }),
  limits: {},
};

const gemini: Recipe = {
  runtime: 'gemini',
  model: 'gemini-2.5-flash',
  modelAtServer: 'gemini-2.5-flash',
  setup: ({ url }) => ({
    env: { GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: url },
    files: { '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }) },
  }),
  noLogin: () => ({ env: {}, files: {} }),
  limits: {},
};

const opencodeProvider = (url: string): string =>
  JSON.stringify({
    provider: {
      mock: {
        npm: '@ai-sdk/openai-compatible',
        name: 'mock',
        options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
        models: {
          'mock-model': {
            name: 'mock-model',
            limit: { context: 400_000, output: 8000 },
            reasoning: true,
            tool_call: true,
          },
        },
      },
    },
  });

const opencode: Recipe = {
  runtime: 'opencode',
  model: 'mock/mock-model',
  modelAtServer: 'mock-model',
  setup: ({ url }) => ({ env: {}, files: { '.config/opencode/opencode.json': opencodeProvider(url) } }),
  noLogin: () => ({ env: {}, files: {} }),
  limits: {},
};

export const recipes: readonly Recipe[] = [claude, codex, gemini, opencode];
