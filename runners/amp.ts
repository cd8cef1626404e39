/**
 * Amp, whose stream is documented to be that of Claude Code with whole messages. Its version, a missing and a wrong key
 * were seen (0.0.1790142911); a turn never was.
 */

import type { Action, Conversation } from '../src/runner/action.js';
import type { Machine } from '../src/runner/machine.js';
import type { TurnRequest } from '../src/runner/request.js';
import type { Invocation, Refusal, Runner } from '../src/runner/runner.js';
import { withSystem } from './dialects/argv-prompt.js';
import { claudeStream, type StreamProgram } from './dialects/claude-stream/index.js';
import { promptToolsRequest, withPromptTools } from './dialects/prompt-tools.js';
import { UNSEEN } from './dialects/unseen.js';

/** stderr: "Error: Couldn't connect to the Amp server …" · "Error: API request for getUserInfo failed: 401" */
const LAST_WORDS: readonly RegExp[] = [/^Error: (API request for \w+ failed: 40[13])\b/];

const program: StreamProgram = {
  title: 'Amp',
  kinds: { edit_file: 'edit', create_file: 'write', finder: 'search', oracle: 'task', todo_write: 'todo' },
  outputTool: '',
  usage: 'messages',
  exitCode: () => undefined,
  failure: ({ message }) => ({ code: 'runner-error', message }),
  lastWords(stderr) {
    const found = stderr.flatMap((line) => LAST_WORDS.flatMap((pattern) => pattern.exec(line)?.[1] ?? []))[0];
    return found === undefined ? null : { ok: false, code: 'auth', message: found };
  },
};

/** The first thing it prints without a key, on stdout: it opens a browser, asks for a code and waits without end. */
const LOGIN = /^No API key found\. Starting login flow/;

function noticing(conversation: Conversation): Conversation {
  return {
    hear(heard): Action[] {
      if (heard.type !== 'line' || !LOGIN.test(heard.text)) return conversation.hear(heard);
      return [{ do: 'finish', outcome: { ok: false, code: 'auth', message: 'Amp is not logged in.' } }];
    },
  };
}

/** What it has in place of models. */
const MODES: readonly string[] = ['low', 'medium', 'high', 'ultra'];

/** Rules for its tools, the first that fits. Their form is documented; what they stop is unverified. */
const READ_ONLY = {
  'amp.permissions': [
    ...['Read', 'Grep', 'glob', 'list_directory', 'todo_read', 'todo_write'].map((tool) => ({ tool, action: 'allow' })),
    { tool: '*', action: 'reject' },
  ],
};

function settings(request: TurnRequest): string {
  const rules = request.access === 'full' ? { 'amp.dangerouslyAllowAll': true } : READ_ONLY;
  return JSON.stringify({ 'amp.updates.mode': 'disabled', ...rules });
}

function invoke(request: TurnRequest, machine: Machine): Invocation | Refusal {
  if (request.mcpServers.length > 0) {
    return { refuse: 'unsupported', message: 'how Amp takes MCP servers for one turn is not known here' };
  }
  if (request.model !== null && !MODES.includes(request.model)) {
    return { refuse: 'unsupported', message: `Amp chooses its models itself; --model can be ${MODES.join(', ')}` };
  }
  return {
    argv: [
      machine.program.path,
      ...machine.program.args,
      ...(request.resume === null ? [] : ['threads', 'continue', request.resume]),
      ...['--execute', '--stream-json', '--stream-json-thinking', '--stream-json-input'],
      ...(request.model === null ? [] : ['-m', request.model]),
      ...['--no-ide', '--no-notifications', '--settings-file', { file: 'settings' }],
    ],
    // A login must not open anybody's browser.
    env: { BROWSER: 'true' },
    stdin: 'end',
    stdout: 'pipe',
    files: { settings: { name: 'settings.json', text: settings(request) } },
  };
}

function converse(request: TurnRequest): Conversation {
  const prompt = request.resume === null ? withSystem(request.system, request.prompt) : request.prompt;
  return noticing(
    claudeStream(program, {
      prompt,
      commands: false,
      hello: {},
      server: null,
      serverInPipe: false,
      trusted: [],
      oneWay: 'frame',
      allowAll: false,
      steer: false,
    }),
  );
}

const inner = { invoke, converse, remembers: true };

const runner: Runner = {
  ...UNSEEN,
  id: 'amp',
  title: 'Amp',
  bins: ['amp'],
  packages: ['@ampcode/cli', '@sourcegraph/amp'],
  install: { kind: 'npm', packages: ['@ampcode/cli'] },
  installHint: 'npm install -g @ampcode/cli',
  loginHint: 'amp login',
  transport: 'stream-json',
  toolActivity: 'full',
  access: {
    scoped: { native_sandbox: 'none', approvals: 'off', gaps: ['read_outside', 'write', 'shell', 'network'] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  resume: true,
  settingsLoaded: ['project AGENTS.md'],
  keys: ['AMP_API_KEY', 'AMP_URL'],
  // "0.0.1790142911-g7618fb (released 2026-09-23T05:55:11.000Z, 2mo ago)"
  version: { args: ['--version'], pattern: /^(\d+\.\d+\.\d+\S*) \(released / },
  tools: (request) => (request.toolsOn ? 'prompt' : 'none'),
  invoke: (request, machine) => invoke(promptToolsRequest(request, machine.ids.nonce), machine),
  converse: (request, machine) =>
    request.tools.length > 0 ? withPromptTools(inner, request, machine) : converse(request),
};

export default runner;
