/**
 * Aider (0.86.2). It prints for people, so its answer is read from the log it keeps of the model; it has no sessions,
 * and its model has no tools: it writes edits, which Aider carries out.
 */

import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Runner } from '../../src/runner/runner.js';
import { plainText } from '../dialects/plain-text.js';
import { promptToolsRequest, withPromptTools } from '../dialects/prompt-tools.js';
import { invoke } from './invoke.js';
import { program } from './program.js';

const converse = () => plainText(program, null);
const inner = { invoke, converse, remembers: false };

const runner: Runner = {
  id: 'aider',
  title: 'Aider',
  bins: ['aider'],
  packages: ['aider-chat'],
  install: { kind: 'manual' },
  installHint: 'uv tool install --python 3.12 aider-chat',
  loginHint: 'export OPENAI_API_KEY=…',
  configFiles: ['~/.aider.conf.yml', '~/.env'],
  testedVersions: ['0.86.2'],
  transport: 'plain-text',
  streamsIncrementally: false,
  toolActivity: 'none',
  access: {
    // Options in a project's .env can make Aider run commands of the project.
    scoped: { native_sandbox: 'restricted', approvals: 'on', gaps: [] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  sandbox: { restricted: { native_sandbox: 'restricted', approvals: 'on' } },
  brokered: { key: 'OPENAI_API_KEY', address: 'OPENAI_API_BASE', vendor: 'https://api.openai.com/v1' },
  confine: {
    state: [{ at: '~/.aider', config: ['oauth-keys.env'] }],
    writesTurnFolder: true,
  },
  toolTransport: 'prompt',
  parallelCalls: true,
  resume: false,
  effort: false,
  maxTurns: false,
  reportsCost: true,
  silentRetries: true,
  promptInArgv: false,
  decidesPerCommand: false,
  steer: false,
  settingsLoaded: ['.env of user and project'],
  nesting: [],
  keys: 'all',
  version: {
    args: ['--version'],
    pattern: /^aider (\d+\.\d+\.\d+\S*)/,
    env: { AIDER_CHECK_UPDATE: 'false', AIDER_ANALYTICS: 'false' },
  },
  tools: (request) => (request.toolsOn ? 'prompt' : 'none'),
  invoke: (request: TurnRequest, machine: Machine) => invoke(promptToolsRequest(request, machine.ids.nonce), machine),
  converse: (request: TurnRequest, machine: Machine) =>
    request.tools.length > 0 ? withPromptTools(inner, request, machine) : converse(),
};

export default runner;
