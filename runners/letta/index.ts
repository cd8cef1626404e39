/** Letta Code by its own stream of JSON lines (0.32.18). Its session is a conversation of an agent that remembers. */

import type { ModelQuery } from '../../src/runner/listing.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Runner } from '../../src/runner/runner.js';
import { parseJson, str } from '../../src/text/json.js';
import { promptToolsRequest, withPromptTools } from '../dialects/prompt-tools.js';
import { converse } from './converse.js';
import { invoke } from './invoke.js';

const inner = { invoke, converse, remembers: true };

/** `letta model list` prints one JSON list. */
const models: ModelQuery = {
  args: ['model', 'list'],
  env: { LETTA_CODE_TELEM: '0', DO_NOT_TRACK: '1' },
  read(lines, over) {
    const list = over ? parseJson(lines.join('\n')) : undefined;
    if (!Array.isArray(list)) return null;
    return list.flatMap((one) => {
      const id = str(one, 'handle');
      const label = str(one, 'label');
      return id === undefined ? [] : [{ id, ...(label === undefined ? {} : { label }) }];
    });
  },
};

const runner: Runner = {
  id: 'letta',
  title: 'Letta Code',
  bins: ['letta'],
  packages: ['@letta-ai/letta-code'],
  install: { kind: 'npm', packages: ['@letta-ai/letta-code'] },
  installHint: 'npm install -g @letta-ai/letta-code',
  loginHint: 'letta setup',
  loginTraces: ['~/.letta/lc-local-backend/providers/auth.json'],
  configFiles: ['~/.letta/settings.json'],
  testedVersions: ['0.32.18'],
  transport: 'stream-json',
  streamsIncrementally: true,
  toolActivity: 'full',
  access: {
    // The project's own permission rules can let a shell command pass, and its hooks run.
    scoped: { native_sandbox: 'restricted', approvals: 'on', gaps: ['read_outside', 'write', 'shell'] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  sandbox: { 'read-only': { native_sandbox: 'read-only', approvals: 'off' } },
  confine: {
    state: [
      {
        at: '~/.letta',
        sessions: ['lc-local-backend/agents', 'lc-local-backend/conversations'],
        config: ['settings.json', 'lc-local-backend/providers', 'mods', 'skills'],
      },
    ],
  },
  // MCP servers belong to an agent, not to a run.
  toolTransport: 'prompt',
  parallelCalls: true,
  resume: true,
  effort: false,
  maxTurns: false,
  reportsCost: false,
  silentRetries: false,
  promptInArgv: false,
  decidesPerCommand: false,
  steer: false,
  settingsLoaded: [
    'user .letta/settings.json (permissions, hooks)',
    'project .letta (permissions, hooks)',
    'agent memory',
  ],
  nesting: [
    'LETTA_AGENT_ID',
    'LETTA_CODE_AGENT_ROLE',
    'LETTA_CONVERSATION_ID',
    'LETTA_MEMORY_DIR',
    'LETTA_PARENT_AGENT_ID',
    'LETTA_PARENT_CONVERSATION_ID',
    'LETTA_SCRATCHPAD',
  ],
  keys: 'all',
  version: {
    args: ['--version'],
    pattern: /^(\d+\.\d+\.\d+\S*) \(Letta Code\)/,
    env: { LETTA_CODE_TELEM: '0', DO_NOT_TRACK: '1' },
  },
  models,
  tools: (request) => (request.toolsOn ? 'prompt' : 'none'),
  invoke: (request: TurnRequest, machine: Machine) => invoke(promptToolsRequest(request, machine.ids.nonce), machine),
  converse: (request: TurnRequest, machine: Machine) =>
    request.tools.length > 0 ? withPromptTools(inner, request, machine) : converse(request),
};

export default runner;
