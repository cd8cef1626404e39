/** Turns of the demo runtime whose event streams are kept as golden files for the authors of hosts. */

import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import { num } from '../../src/text/json.js';
import type { Running } from './cli.js';

export interface Scenario {
  /** Name of the golden file, and what it shows. */
  name: string;
  prompt: string;
  /** The demo when absent. */
  runtime?: string;
  args?: readonly string[];
  /** Names of declared caller tools. */
  tools?: readonly string[];
  /** What the host does at an event. */
  react?(event: JsonObject, running: Running): void;
  exit: number;
}

const answerWith =
  (text: (event: JsonObject) => string) =>
  (event: JsonObject, running: Running): void => {
    if (event['type'] !== 'tool_call') return;
    running.send({ v: 1, type: 'tool_result', id: event['id'] ?? '', ok: true, result: { text: text(event) } });
  };

const choose =
  (choice: string) =>
  (event: JsonObject, running: Running): void => {
    if (event['type'] !== 'permission_request') return;
    running.send({ v: 1, type: 'permission_result', id: event['id'] ?? '', choice });
  };

/** Answers the calls only when two are there, the later one first. */
function lastFirst(): NonNullable<Scenario['react']> {
  const calls: Json[] = [];
  return (event, running) => {
    if (event['type'] !== 'tool_call') return;
    calls.push(event['id'] ?? '');
    if (calls.length < 2) return;
    for (const id of calls.splice(0).reverse())
      running.send({ type: 'tool_result', id, ok: true, result: `answer of ${id}` });
  };
}

const CREATE = 'tool create_nodes {"count":2,"labels":["Zażółć","{}"]}';

export const SCENARIOS: readonly Scenario[] = [
  { name: 'success', prompt: 'think', args: ['--effort', 'off'], exit: 0 },
  { name: 'thinking', prompt: 'think', args: ['--effort', 'low'], exit: 0 },
  {
    name: 'tool-loop',
    prompt: CREATE,
    tools: ['create_nodes'],
    react: answerWith((event) => `created ${num(event, 'args', 'count')} nodes`),
    exit: 0,
  },
  { name: 'parallel-tools', prompt: 'tools a {"n":1} & b {"n":2}', tools: ['a', 'b'], react: lastFirst(), exit: 0 },
  {
    name: 'tool-error',
    prompt: 'tool lookup {}',
    tools: ['lookup'],
    react(event, running) {
      if (event['type'] !== 'tool_call') return;
      running.send({ type: 'tool_result', id: event['id'] ?? '', ok: false, result: { text: 'no such record' } });
    },
    exit: 0,
  },
  {
    name: 'bad-frame',
    prompt: CREATE,
    tools: ['create_nodes'],
    react(event, running) {
      if (event['type'] === 'tool_call') running.send('{"type":"tool_result",');
      if (event['code'] === 'bad-frame') {
        running.send({ type: 'tool_result', id: 'tc_1', ok: true, result: { text: 'created 2 nodes' } });
      }
    },
    exit: 0,
  },
  { name: 'native-tool', prompt: 'shell ls then say done', exit: 0 },
  { name: 'native-tool-denied', prompt: 'write notes.txt Hello', exit: 0 },
  { name: 'native-tool-edit', prompt: 'write notes.txt Hello', args: ['--access', 'edit'], exit: 0 },
  { name: 'permission', prompt: 'ask', args: ['--approvals', 'stdio'], react: choose('allow_once'), exit: 0 },
  { name: 'permission-denied', prompt: 'ask', args: ['--approvals', 'stdio'], react: choose('deny'), exit: 0 },
  { name: 'plan', prompt: 'plan', exit: 0 },
  { name: 'subagent', prompt: 'subagent', exit: 0 },
  { name: 'repeat', prompt: 'repeat', exit: 0 },
  { name: 'retry', prompt: 'retry 1', exit: 0 },
  {
    name: 'steer',
    prompt: 'tool wait {} then say The end.',
    tools: ['wait'],
    react(event, running) {
      if (event['type'] !== 'tool_call') return;
      running.send({ type: 'steer', id: 's1', text: 'be brief' });
      running.send({ type: 'tool_result', id: 'tc_1', ok: true, result: 'waited' });
    },
    exit: 0,
  },
  { name: 'refusal', prompt: 'refuse', exit: 0 },
  { name: 'max-tokens', prompt: 'cut', exit: 0 },
  {
    name: 'max-turns',
    prompt: 'tool a {} then tool b {} then say never',
    args: ['--max-turns', '1'],
    tools: ['a', 'b'],
    react: answerWith(() => 'yes'),
    exit: 1,
  },
  { name: 'budget', prompt: 'say one', args: ['--budget-usd', '1e-6'], exit: 1 },
  { name: 'fatal-auth', prompt: 'auth', exit: 1 },
  { name: 'rate-limited', prompt: 'rate-limit 2', exit: 1 },
  { name: 'model-unavailable', prompt: 'model-unavailable', args: ['--model', 'demo-9'], exit: 1 },
  { name: 'session-not-found', prompt: 'hello', args: ['--resume', 'no-such-session'], exit: 1 },
  { name: 'runner-error', prompt: 'crash 3', exit: 1 },
  { name: 'silent', prompt: 'silent', exit: 1 },
  { name: 'timeout', prompt: 'hang', args: ['--timeout', '3s'], exit: 124 },
  {
    name: 'cancel',
    prompt: 'tool wait {}',
    tools: ['wait'],
    react(event, running) {
      if (event['type'] === 'tool_call') running.send({ v: 1, type: 'cancel' });
    },
    exit: 130,
  },
  { name: 'unsupported', prompt: 'hello', args: ['--sandbox', 'read-only'], exit: 2 },
];
