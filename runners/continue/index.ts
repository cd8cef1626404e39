/** Continue's command line program (1.5.47): it prints only its final text; its session file holds the rest. */

import type { NoticeCode } from '../../src/contract/vocabulary.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Runner } from '../../src/runner/runner.js';
import { atStart, notices } from '../dialects/at-start.js';
import { promptToolsRequest, withPromptTools } from '../dialects/prompt-tools.js';
import { converse } from './converse.js';
import { invoke } from './invoke.js';
import { listed } from './session.js';

/** Without the session file a round can't be continued, and goes out with the whole transcript. */
const inner = (machine: Machine) => ({ invoke, converse, remembers: !machine.envNames.has('CONTINUE_GLOBAL_DIR') });

function limits(request: TurnRequest): { code: NoticeCode; message: string }[] {
  const told: { code: NoticeCode; message: string }[] = [];
  if (request.maxTurns !== null) {
    told.push({
      code: 'max-turns-partial',
      message: "continue reports its own tools only at the end: --max-turns holds for the caller's tools alone",
    });
  }
  if (request.model !== null && !request.model.includes('/')) {
    told.push({
      code: 'model-ignored',
      message: "continue takes models by their name on its hub (owner/name): it runs its configuration's own",
    });
  }
  return told;
}

const runner: Runner = {
  id: 'continue',
  title: 'Continue',
  bins: ['cn'],
  packages: ['@continuedev/cli'],
  install: { kind: 'npm', packages: ['@continuedev/cli'] },
  installHint: 'npm install -g @continuedev/cli',
  loginHint: 'cn login',
  configFiles: ['$CONTINUE_GLOBAL_DIR/config.yaml', '~/.continue/config.yaml'],
  testedVersions: ['1.5.47'],
  transport: 'plain-text',
  streamsIncrementally: false,
  toolActivity: 'full',
  // Hooks of the project always run, so nothing can be guaranteed about what is written.
  access: {
    scoped: { native_sandbox: 'read-only', approvals: 'off', gaps: ['read_outside'] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  sandbox: { 'read-only': { native_sandbox: 'read-only', approvals: 'off' } },
  confine: {
    state: [
      {
        at: '~/.continue',
        variable: 'CONTINUE_GLOBAL_DIR',
        sessions: ['sessions'],
        config: [
          'config.yaml',
          'config.json',
          'permissions.yaml',
          '.env',
          'assistants',
          'models',
          'rules',
          'prompts',
          'mcpServers',
        ],
        logins: ['auth.json'],
      },
    ],
  },
  // Servers are part of its one configuration file, which also names the models: it can't be added to for a turn.
  toolTransport: 'prompt',
  parallelCalls: true,
  resume: true,
  effort: false,
  maxTurns: false,
  reportsCost: false,
  silentRetries: true,
  promptInArgv: true,
  decidesPerCommand: false,
  steer: false,
  settingsLoaded: [
    'user ~/.continue (config with MCP servers, rules, permissions, hooks)',
    'user and project .claude/settings.json (hooks)',
    'project .continue (rules, hooks)',
    'project AGENTS.md',
  ],
  nesting: ['CONTINUE_CLI_AUTO_UPDATED', 'CONTINUE_CLI_TEST', 'CONTINUE_CLI_TEST_SESSION_ID'],
  keys: 'all',
  version: {
    args: ['--version'],
    pattern: /^(\d+\.\d+\.\d+\S*)$/,
    env: { CONTINUE_CLI_AUTO_UPDATED: 'true', CONTINUE_CLI_ENABLE_TELEMETRY: '0' },
  },
  sessions: (cwd) => ({
    files: {
      folders: ['$CONTINUE_GLOBAL_DIR/sessions', '~/.continue/sessions'],
      name: /^(?!sessions\.json$)[\w-]+\.json$/,
      read: (_name, text) => listed(cwd, text),
    },
  }),
  tools: (request) => (request.toolsOn ? 'prompt' : 'none'),
  invoke: (request: TurnRequest, machine: Machine) => invoke(promptToolsRequest(request, machine.ids.nonce), machine),
  converse(request: TurnRequest, machine: Machine) {
    const turn =
      request.tools.length > 0 ? withPromptTools(inner(machine), request, machine) : converse(request, machine);
    return atStart(notices(limits(request)), turn);
  },
};

export default runner;
