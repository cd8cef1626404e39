/** gptme's non-interactive mode with JSON lines (0.35.1): whole messages, a conversation under a name that we choose. */

import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Runner } from '../../src/runner/runner.js';
import { promptToolsRequest, withPromptTools } from '../dialects/prompt-tools.js';
import { converse } from './converse.js';
import { invoke } from './invoke.js';

const inner = { invoke, converse, remembers: true };

const runner: Runner = {
  id: 'gptme',
  title: 'gptme',
  bins: ['gptme'],
  packages: ['gptme'],
  install: { kind: 'manual' },
  installHint: 'uv tool install gptme',
  loginHint: 'gptme-onboard',
  configFiles: ['~/.config/gptme/config.toml'],
  // Its log, without its errors.
  chatter: /^(?:· (?!ERROR)|\s|$)/,
  testedVersions: ['0.35.1'],
  transport: 'json',
  streamsIncrementally: false,
  toolActivity: 'full',
  access: {
    // A project's gptme.toml may run a command for its context, and name plugins.
    scoped: { native_sandbox: 'read-only', approvals: 'off', gaps: ['read_outside'] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  sandbox: { 'read-only': { native_sandbox: 'read-only', approvals: 'off' } },
  brokered: { key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL', vendor: null },
  confine: {
    state: [
      { at: '~/.local/share/gptme', variable: 'XDG_DATA_HOME', below: 'gptme', sessions: ['logs'] },
      {
        at: '~/.config/gptme',
        variable: 'XDG_CONFIG_HOME',
        below: 'gptme',
        config: ['config.toml', 'config.local.toml', 'mcp.json', 'skills', 'lessons'],
      },
    ],
  },
  toolTransport: 'prompt',
  parallelCalls: true,
  resume: true,
  effort: false,
  maxTurns: false,
  reportsCost: false,
  silentRetries: false,
  promptInArgv: true,
  decidesPerCommand: false,
  steer: false,
  settingsLoaded: ['user config.toml', 'project gptme.toml'],
  nesting: ['GPTME_SUBAGENT_AGENT_ID'],
  keys: 'all',
  version: { args: ['--version'], pattern: /^(?:gptme v?)?(\d+\.\d+\.\d+\S*)/ },
  tools: (request) => (request.toolsOn ? 'prompt' : 'none'),
  invoke: (request: TurnRequest, machine: Machine) => invoke(promptToolsRequest(request, machine.ids.nonce), machine),
  converse: (request: TurnRequest, machine: Machine) =>
    request.tools.length > 0 ? withPromptTools(inner, request, machine) : converse(request, machine),
};

export default runner;
