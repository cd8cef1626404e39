/**
 * Cursor's agent, from its documentation; never run here. Its stream looks like that of Claude Code with whole messages
 * without ids; the form of its own `tool_call` lines is unknown, so they are left unread.
 */

import type { Machine } from '../src/runner/machine.js';
import type { TurnRequest } from '../src/runner/request.js';
import type { Invocation, Refusal, Runner } from '../src/runner/runner.js';
import { tooLongForArgv, withSystem } from './dialects/argv-prompt.js';
import { claudeStream, type StreamProgram } from './dialects/claude-stream/index.js';
import { promptToolsRequest, withPromptTools } from './dialects/prompt-tools.js';
import { UNSEEN } from './dialects/unseen.js';

const program: StreamProgram = {
  title: 'Cursor',
  kinds: {},
  outputTool: '',
  usage: 'messages',
  exitCode: () => undefined,
  failure: ({ message }) => ({ code: 'runner-error', message }),
  lastWords: () => null,
};

function prompt(request: TurnRequest): string {
  return request.resume === null ? withSystem(request.system, request.prompt) : request.prompt;
}

function invoke(request: TurnRequest, machine: Machine): Invocation | Refusal {
  if (request.mcpServers.length > 0) {
    return { refuse: 'unsupported', message: 'cursor takes MCP servers from its mcp.json files alone' };
  }
  const long = tooLongForArgv('cursor', prompt(request));
  if (long !== null) return long;
  return {
    argv: [
      machine.program.path,
      ...machine.program.args,
      ...['-p', '--output-format', 'stream-json'],
      ...(request.model === null ? [] : ['--model', request.model]),
      // Without it, what changes something is only proposed, it is said.
      ...(request.access === 'full' ? ['--force'] : []),
      ...(request.resume === null ? [] : ['--resume', request.resume]),
      '--',
      prompt(request),
    ],
    env: {},
    stdin: 'end',
    stdout: 'pipe',
  };
}

const converse = (request: TurnRequest) =>
  claudeStream(program, {
    prompt: prompt(request),
    commands: false,
    hello: {},
    server: null,
    serverInPipe: false,
    trusted: [],
    oneWay: 'argument',
    allowAll: false,
    steer: false,
  });

const inner = { invoke, converse, remembers: true };

const runner: Runner = {
  ...UNSEEN,
  id: 'cursor',
  title: 'Cursor',
  bins: ['cursor-agent'],
  packages: [],
  places: ['~/.local/bin/cursor-agent'],
  install: { kind: 'script', url: 'https://cursor.com/install', shell: 'bash' },
  installHint: 'curl -fsSL https://cursor.com/install | bash',
  loginHint: 'cursor-agent login',
  transport: 'stream-json',
  toolActivity: 'none',
  access: {
    scoped: { native_sandbox: 'none', approvals: 'off', gaps: ['read_outside', 'write', 'shell', 'network'] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  resume: true,
  promptInArgv: true,
  settingsLoaded: ['user', 'project .cursor and AGENTS.md'],
  nesting: ['CURSOR_AGENT'],
  keys: ['CURSOR_API_KEY'],
  tools: (request) => (request.toolsOn ? 'prompt' : 'none'),
  invoke: (request, machine) => invoke(promptToolsRequest(request, machine.ids.nonce), machine),
  converse: (request, machine) =>
    request.tools.length > 0 ? withPromptTools(inner, request, machine) : converse(request),
};

export default runner;
