/**
 * Kimi, from documents of two generations that share a name; neither was ever run here. The older (package kimi-cli)
 * wants `--print` and reads chat messages from stdin; the newer, Kimi Code, takes its prompt after `-p`.
 */

import type { Action } from '../src/runner/action.js';
import type { Machine } from '../src/runner/machine.js';
import type { TurnRequest } from '../src/runner/request.js';
import type { Invocation, Refusal, Runner } from '../src/runner/runner.js';
import { tooLongForArgv, withSystem } from './dialects/argv-prompt.js';
import { atStart } from './dialects/at-start.js';
import { type ChatProgram, chatJsonl } from './dialects/chat-jsonl.js';
import { UNSEEN } from './dialects/unseen.js';
import { fenced, fencedRequest } from './fence.js';

const OLDER = 'kimi-cli';

const program: ChatProgram = {
  title: 'Kimi',
  kinds: { Shell: 'shell', ReadFile: 'read', WriteFile: 'write', StrReplaceFile: 'edit', SetTodoList: 'todo' },
  failure: () => null,
};

const isOlder = (machine: Machine) => machine.program.variant === OLDER;

function prompt(request: TurnRequest): string {
  return request.resume === null ? withSystem(request.system, request.prompt) : request.prompt;
}

/** The older one begins a session under any id it is given; the newer tells none and takes none for a new one. */
function session(request: TurnRequest, machine: Machine): string | null {
  return request.resume ?? (isOlder(machine) ? machine.ids.session : null);
}

function invoke(request: TurnRequest, machine: Machine): Invocation | Refusal {
  if (request.mcpServers.length > 0) {
    return { refuse: 'unsupported', message: 'how Kimi takes MCP servers for one turn is not known here' };
  }
  const { program: found } = machine;
  const id = session(request, machine);
  const common = [
    ...['--output-format', 'stream-json'],
    ...(request.model === null ? [] : ['--model', request.model]),
    ...(id === null ? [] : [isOlder(machine) ? '--session' : '-S', id]),
  ];
  const env = { KIMI_CODE_EXPERIMENTAL_FLAG: '1', KIMI_MODEL_THINKING_KEEP: 'off' };
  if (isOlder(machine)) {
    const flags = ['--print', '--input-format', 'stream-json', '--work-dir', request.cwd];
    return { argv: [found.path, ...found.args, ...flags, ...common], env, stdin: 'end', stdout: 'pipe' };
  }
  const long = tooLongForArgv('kimi', prompt(request));
  if (long !== null) return long;
  const yes = request.access === 'full' ? ['--yolo'] : [];
  return {
    argv: [found.path, ...found.args, '-p', prompt(request), ...common, ...yes],
    env,
    stdin: 'null',
    stdout: 'pipe',
  };
}

function converse(request: TurnRequest, machine: Machine) {
  const id = session(request, machine);
  const said: Action[] = id === null ? [] : [{ do: 'say', event: { type: 'session', session_id: id } }];
  const message = `${JSON.stringify({ role: 'user', content: prompt(request) })}\n`;
  return atStart(said, chatJsonl(program, isOlder(machine) ? message : null));
}

const inner = { invoke, converse, remembers: true };

const runner: Runner = {
  ...UNSEEN,
  id: 'kimi',
  aliases: ['kimicode'],
  title: 'Kimi',
  bins: ['kimi'],
  packages: [OLDER],
  install: { kind: 'manual' },
  installHint: `uv tool install ${OLDER}`,
  loginHint: 'kimi',
  transport: 'chat-jsonl',
  toolActivity: 'full',
  access: {
    // Printing is said to approve everything.
    scoped: { native_sandbox: 'none', approvals: 'off', gaps: ['read_outside', 'write', 'shell', 'network'] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  resume: true,
  promptInArgv: true,
  keys: ['KIMI_API_KEY', 'KIMI_BASE_URL', 'KIMI_MODEL_NAME', 'MOONSHOT_API_KEY'],
  tools: (request) => (request.toolsOn ? 'fence' : 'none'),
  invoke: (request, machine) => invoke(fencedRequest(request, machine.ids.nonce), machine),
  converse: (request, machine) =>
    request.tools.length > 0 ? fenced(inner, request, machine) : converse(request, machine),
};

export default runner;
