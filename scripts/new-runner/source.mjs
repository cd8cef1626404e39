// The source of a new runner: TypeScript for the runners folder, JavaScript with JSDoc types for a file of one's own.

const PARSE = `/** @param {string} text @returns {Record<string, unknown> | null} */
function parse(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** @param {unknown} value */
const textOf = (value) => (typeof value === 'string' ? value : '');
`;

const IMPORTS = `import type { Action, Conversation, Outcome } from '../src/runner/action.js';
import type { Machine } from '../src/runner/machine.js';
import type { TurnRequest } from '../src/runner/request.js';
import type { Invocation, Refusal, Runner } from '../src/runner/runner.js';
import { parseObject, str } from '../src/text/json.js';
`;

/** @param {{ id: string, title: string, ts: boolean }} of */
export function runnerSource({ id, title, ts }) {
  const as = (type) => (ts ? `: ${type}` : '');
  const doc = (text, tags) => (ts ? `/** ${text} */` : `/** ${text} ${tags} */`);
  const get = ts ? (key) => `str(said, '${key}') ?? ''` : (key) => `textOf(said?.${key})`;
  const kind = ts ? "str(said, 'kind')" : 'said?.kind';
  return `/** ${title}. Say here which version of the program was seen, and how; its lines below are those of the template. */

${ts ? IMPORTS : `// @ts-check\n/** @import { Action, Conversation, Invocation, Machine, Outcome, Refusal, Runner, TurnRequest } from 'turnout' */\n\n${PARSE}`}
${doc('How it is started. The prompt goes in by stdin: arguments are visible to everybody, and end at 128 KiB.', '@param {TurnRequest} request @param {Machine} machine @returns {Invocation | Refusal}')}
function invoke(request${as('TurnRequest')}, machine${as('Machine')})${as('Invocation | Refusal')} {
  if (request.mcpServers.length > 0) {
    return {
      refuse: 'unsupported',
      message: 'how ${title} takes MCP servers for one turn is not known here',
    };
  }
  return {
    argv: [
      machine.program.path,
      ...machine.program.args,
      '--json',
      ...(request.model === null ? [] : ['--model', request.model]),
      ...(request.resume === null ? [] : ['--resume', request.resume]),
    ],
    env: {},
    stdin: 'end',
    stdout: 'pipe',
  };
}

${doc('Its instructions stand in front of the first prompt of a session; it has no flag for them.', '@param {TurnRequest} request')}
function prompt(request${as('TurnRequest')})${as('string')} {
  if (request.system === null || request.resume !== null) return request.prompt;
  return \`\${request.system}\\n\\n---\\n\\n\${request.prompt}\`;
}

${doc('One turn: hears what the program prints, answers with what it means. It never throws.', '@param {TurnRequest} request @returns {Conversation}')}
function converse(request${as('TurnRequest')})${as('Conversation')} {
  let messages = 0;
  let over = false;

${ts ? '' : '  /** @param {Outcome} outcome @returns {Action[]} */\n'}  const finish = (outcome${as('Outcome')})${as('Action[]')} => {
    if (over) return [];
    over = true;
    return [{ do: 'finish', outcome }];
  };
${ts ? '' : '  /** @param {string} text @returns {Action[]} */\n'}  const line = (text${as('string')})${as('Action[]')} => {
    const said = ${ts ? 'parseObject' : 'parse'}(text);
    switch (${ts ? "str(said, 'type')" : 'said?.type'}) {
      // {"type":"session","id":"s-1"}
      case 'session':
        return [{ do: 'say', event: { type: 'session', session_id: ${get('id')} } }];
      // {"type":"message","text":"Hello."}: whole messages, so each has an id of its own.
      case 'message':
        messages += 1;
        return [{ do: 'say', event: { type: 'assistant', text: ${get('text')}, message_id: \`m\${messages}\` } }];
      // {"type":"error","kind":"auth","message":"no key"}: the runtime's own mark, never the text of the model.
      case 'error': {
        const code = ${kind} === 'auth' ? 'auth' : 'runner-error';
        return finish({ ok: false, code, message: ${get('message')} });
      }
      // {"type":"end"}
      case 'end':
        return finish({ ok: true, stopReason: 'end_turn' });
      default:
        // A line of a newer version: kept for people, never fatal.
        return [{ do: 'unread', text }];
    }
  };

  return {
    hear(heard) {
      switch (heard.type) {
        case 'spawned':
          return [{ do: 'feed', text: prompt(request) }, { do: 'end-stdin' }];
        case 'line':
          return line(heard.text);
        case 'stop':
          // It listens to signals alone: there is nothing to ask it with.
          return finish({ ok: false, code: 'cancelled', message: '${title} is ended.' });
        case 'exit': {
          // Without its mark the turn failed, whatever the exit code says.
          const how = heard.signal ?? \`exit code \${heard.code ?? 'unknown'}\`;
          const message = \`${title} ended (\${how}) before its answer was over.\`;
          return finish({ ok: false, code: 'runner-error', message });
        }
        default:
          return [];
      }
    },
  };
}

${ts ? '' : '/** @type {Runner} */\n'}const runner${as('Runner')} = {
  id: '${id}',
  title: '${title}',
  bins: ['${id}'],
  packages: [],
  install: { kind: 'manual' },
  installHint: 'see the documents of ${title}',
  loginHint: '${id} login',
  testedVersions: [],
  transport: 'jsonl',
  streamsIncrementally: false,
  toolActivity: 'none',
  // A mode is a promise: leave out what you have not seen it keep.
  access: {
    scoped: { native_sandbox: 'none', approvals: 'off', gaps: ['read_outside', 'write', 'shell', 'network'] },
    full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
  },
  sandbox: {},
  toolTransport: 'none',
  parallelCalls: false,
  resume: true,
  effort: false,
  maxTurns: false,
  reportsCost: false,
  silentRetries: true,
  promptInArgv: false,
  decidesPerCommand: false,
  steer: false,
  settingsLoaded: ['user', 'project'],
  nesting: [],
  keys: [],
  version: { args: ['--version'], pattern: /(\\d+\\.\\d+\\.\\d+\\S*)/ },
  tools: () => 'none',
  invoke,
  converse,
};

export default runner;
`;
}
