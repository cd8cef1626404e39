/**
 * The npm program @vibe-kit/grok-cli (0.0.34). Its binary is called `grok`, as is that of xAI's own program, which is
 * the runtime `grok`. It prints its chat at the end, knows no sessions, and always runs its tools.
 */

import type { TurnErrorCode } from '../src/contract/error.js';
import type { Machine } from '../src/runner/machine.js';
import type { TurnRequest } from '../src/runner/request.js';
import type { Invocation, Refusal, Runner } from '../src/runner/runner.js';
import { tooLongForArgv, withSystem } from './dialects/argv-prompt.js';
import { type ChatProgram, chatJsonl } from './dialects/chat-jsonl.js';
import type { Failure } from './dialects/plain-text.js';
import { promptToolsRequest, withPromptTools } from './dialects/prompt-tools.js';

const PACKAGE = '@vibe-kit/grok-cli';
/** Rounds when no limit is set; its own default would be 400. */
const ROUNDS = 25;

/** stderr without a key. The line is whole in 0.0.34. */
const LAST_WORDS: readonly (readonly [RegExp, TurnErrorCode])[] = [[/^❌ Error: API key required\. /, 'auth']];

const TODO_TOOLS: ReadonlySet<string> = new Set(['create_todo_list', 'update_todo_list']);
const FAILED_TODO =
  /^(?:Each todo must have |Invalid (?:status|priority): |Todo with id .* not found$|Error (?:creating|updating) todo list: )/;

function failure(stderr: readonly string[]): Failure | null {
  for (const line of stderr) {
    const code = LAST_WORDS.find(([pattern]) => pattern.test(line))?.[1];
    if (code !== undefined) return { code, message: line.replace(/^❌ Error: /, '') };
  }
  return null;
}

function program(request: TurnRequest): ChatProgram {
  return {
    title: 'Grok CLI',
    kinds: { str_replace_editor: 'edit', create_todo_list: 'todo', update_todo_list: 'todo' },
    failedTool: (name, output) => (TODO_TOOLS.has(name) ? FAILED_TODO : /^Command failed: /).test(output),
    // Every failure is an answer and exit code 0, "Sorry, I encountered an error: Grok API error: 401 …"; so is no answer.
    errorText: /^(?:Sorry, I encountered an error: |I understand, but I don't have a specific response\.$)/,
    cap: {
      text: /^Maximum tool execution rounds reached\. Stopping to prevent infinite loops\.$/,
      rounds: request.maxTurns ?? ROUNDS,
    },
    failure,
  };
}

function prompt(request: TurnRequest): string {
  return withSystem(request.system, request.prompt);
}

function invoke(request: TurnRequest, machine: Machine): Invocation | Refusal {
  if (machine.program.variant !== PACKAGE) {
    return {
      refuse: 'unsupported',
      message: `${machine.program.found} is not the npm package ${PACKAGE}; for xAI's own program use --runtime grok`,
    };
  }
  if (request.mcpServers.length > 0) {
    return {
      refuse: 'unsupported',
      message: 'grok-cli connects MCP servers too late to use them, and never ends then',
    };
  }
  const long = tooLongForArgv('grok-cli', prompt(request));
  if (long !== null) return long;
  return {
    argv: [
      machine.program.path,
      ...machine.program.args,
      ...['--directory', request.cwd],
      ...(request.model === null ? [] : ['--model', request.model]),
      ...['--max-tool-rounds', String(request.maxTurns ?? ROUNDS)],
      // Without it a screen is drawn on stdout. In one argument, since a prompt may begin like a flag.
      `--prompt=${prompt(request)}`,
    ],
    env: {},
    stdin: 'null',
    stdout: 'file',
  };
}

const converse = (request: TurnRequest) => chatJsonl(program(request), null);
const inner = { invoke, converse, remembers: false };

const runner: Runner = {
  id: 'grok-cli',
  title: 'Grok CLI (@vibe-kit)',
  bins: ['grok'],
  packages: [PACKAGE],
  install: { kind: 'npm', packages: [PACKAGE] },
  installHint: `npm install -g ${PACKAGE}`,
  // The key is a variable or stands in its settings file; there is no login.
  loginHint: 'export GROK_API_KEY=…',
  loginTraces: ['~/.grok/user-settings.json'],
  configFiles: ['~/.grok/user-settings.json'],
  testedVersions: ['0.0.34'],
  transport: 'chat-jsonl',
  streamsIncrementally: false,
  toolActivity: 'full',
  access: {
    scoped: { native_sandbox: 'none', approvals: 'n/a', gaps: ['read_outside', 'write', 'shell', 'network'] },
    full: { native_sandbox: 'none', approvals: 'n/a', gaps: [] },
  },
  sandbox: {},
  brokered: { key: 'GROK_API_KEY', address: 'GROK_BASE_URL', vendor: 'https://api.x.ai/v1' },
  confine: {
    state: [{ at: '~/.grok', config: ['user-settings.json', 'GROK.md'] }],
  },
  toolTransport: 'prompt',
  parallelCalls: true,
  resume: false,
  effort: false,
  maxTurns: true,
  reportsCost: false,
  silentRetries: true,
  promptInArgv: true,
  decidesPerCommand: false,
  steer: false,
  settingsLoaded: ['user settings', 'project .grok'],
  nesting: [],
  keys: ['GROK_API_KEY', 'GROK_BASE_URL', 'GROK_MODEL', 'XAI_API_KEY', 'MORPH_API_KEY'],
  // It prints "1.0.1" whatever its package says.
  tools: (request) => (request.toolsOn ? 'prompt' : 'none'),
  invoke: (request: TurnRequest, machine: Machine) => invoke(promptToolsRequest(request, machine.ids.nonce), machine),
  converse: (request: TurnRequest, machine: Machine) =>
    request.tools.length > 0 ? withPromptTools(inner, request, machine) : converse(request),
};

export default runner;
