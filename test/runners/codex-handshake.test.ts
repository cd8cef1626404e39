/** Codex's handshake, access and small parts, driven by hand. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { approvalPolicy, confinement, decidesEscalations } from '../../runners/codex/access.js';
import { failedOutcome, isFiltered, retryNumber } from '../../runners/codex/errors.js';
import runner from '../../runners/codex/index.js';
import { planLimits } from '../../runners/codex/plan-limits.js';
import { rounds } from '../../runners/codex/rounds.js';
import { isStrict } from '../../runners/codex/schema.js';
import { unwrapShell } from '../../runners/codex/shell-wrapper.js';
import { texts } from '../../runners/codex/texts.js';
import { declaredName, offeredName } from '../../runners/codex/tool-names.js';
import { withoutKey } from '../../runners/dialects/openai-error.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Conversation } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { isRefusal } from '../../src/runner/runner.js';
import { parseObject } from '../../src/text/json.js';
import { hearAll, lines, machine, request } from './drive.js';

const written = (actions: readonly Action[]): JsonObject[] =>
  actions
    .map((action) => (action.do === 'write' ? parseObject(action.line) : undefined))
    .filter((one) => one !== undefined);

interface Answers {
  account?: JsonObject;
  config?: JsonObject;
  stored?: JsonObject;
}

/** Brings a conversation to the point where it opens its thread. */
function toThread(
  changes: Partial<TurnRequest> = {},
  on: Partial<Machine> = {},
  answers: Answers = {},
): { talk: Conversation; actions: Action[]; params: JsonObject } {
  const talk = runner.converse(request(changes), machine(on));
  hearAll(talk, [{ type: 'spawned' }, ...lines({ id: 1, result: { codexHome: '/home/user/.codex' } })]);
  const facts = [
    { id: 2, result: answers.account ?? { account: null, requiresOpenaiAuth: false } },
    { id: 3, result: answers.config ?? { config: {}, origins: {} } },
    ...(changes.resume ? [{ id: 4, result: { thread: answers.stored ?? {} } }] : []),
  ];
  const actions = hearAll(talk, lines(...facts));
  const open = written(actions).find((message) => String(message['method']).startsWith('thread/'));
  return { talk, actions, params: (open?.['params'] ?? {}) as JsonObject };
}

const argv = (changes: Partial<TurnRequest> = {}, on: Partial<Machine> = {}): string => {
  const answer = runner.invoke(request(changes), machine(on));
  return isRefusal(answer) ? `refused: ${answer.refuse}` : answer.argv.join(' ');
};

test('modes and sandbox modes choose the profile', () => {
  const of = (changes: Partial<TurnRequest>) => confinement(request(changes));
  assert.is(of({}), 'read-only');
  assert.is(of({ access: 'edit' }), 'workspace-write');
  assert.is(of({ access: 'full' }), 'full');
  assert.is(of({ sandbox: 'workspace-write' }), 'workspace-write');
  assert.is(of({ sandbox: 'full' }), 'read-only');
  assert.is(of({ access: 'edit', sandbox: 'read-only' }), 'read-only');
  assert.is(of({ access: 'full', sandbox: 'workspace-write' }), 'workspace-write');
});

test('guaranteed modes ask only for what a host or a prefix may allow, and nobody decides about escalations by default', () => {
  const policy = (changes: Partial<TurnRequest>) => approvalPolicy(request(changes));
  assert.is(policy({}), 'on-request');
  assert.is(policy({ access: 'read' }), 'never');
  assert.is(policy({ access: 'edit' }), 'never');
  assert.is(policy({ access: 'edit', allowBashPrefix: ['npm test'] }), 'on-request');
  assert.is(policy({ access: 'full' }), 'never');
  const decides = (changes: Partial<TurnRequest>) => decidesEscalations(request(changes));
  assert.is(decides({}), false);
  assert.is(decides({ approvals: 'stdio' }), true);
  assert.is(decides({ access: 'edit', approvals: 'stdio' }), true);
  assert.is(decides({ access: 'none', approvals: 'stdio' }), false);
  assert.is(decides({ access: 'full', sandbox: 'read-only', allowBashPrefix: ['x'] }), false);
});

test('confined threads deny a read, so that rules of the user can not lead out of the sandbox', () => {
  const read = toThread().params;
  assert.equal(read['permissions'], 'turnout');
  assert.not.ok('sandbox' in read);
  assert.equal((read['config'] as JsonObject)['permissions'], {
    turnout: { filesystem: { ':root': 'read', '/home/user/.codex/auth.json': 'deny' } },
  });
  const edit = toThread({ access: 'edit' }).params['config'] as JsonObject;
  assert.equal(edit['permissions'], {
    turnout: {
      extends: ':workspace',
      filesystem: { ':slash_tmp': 'read', ':tmpdir': 'read', '/home/user/.codex/auth.json': 'deny' },
    },
  });
  assert.is(toThread({ access: 'full' }).params['sandbox'], 'danger-full-access');
});

test('a sandbox that is not the one asked for ends the turn before it begins', () => {
  const { talk } = toThread({ access: 'read' });
  const told = { id: 4, result: { thread: { id: 't' }, sandbox: { type: 'dangerFullAccess' } } };
  const finish = hearAll(talk, lines(told)).find((action) => action.do === 'finish');
  assert.ok(finish?.do === 'finish' && !finish.outcome.ok && finish.outcome.code === 'unsupported');
});

test('Windows offers no guaranteed mode, and read takes no writable sandbox', () => {
  assert.is(argv({ access: 'read' }, { platform: 'win32' }), 'refused: unsupported');
  assert.is(argv({ access: 'read', sandbox: 'workspace-write' }), 'refused: unsupported');
  assert.match(argv({}, { platform: 'win32' }), 'app-server');
});

test('nothing of the user is loaded by default, and no folder becomes trusted', () => {
  const plain = argv({ cwd: '/a "b"' });
  for (const one of ['features.hooks=false', 'project_doc_max_bytes=0', 'notify=[]', 'developer_instructions=""']) {
    assert.ok(plain.includes(one), one);
  }
  assert.ok(plain.includes('projects={"/a \\"b\\""={trust_level="untrusted"}}'));
  const all = argv({ settings: ['user', 'project'] });
  assert.not.ok(/features\.hooks|notify|project_doc_max_bytes/.test(all));
  assert.ok(all.includes('trust_level="trusted"'));
  assert.ok(argv({}).includes('web_search="disabled"') && !argv({ access: 'read' }).includes('web_search'));
});

test('servers of the configuration are switched off unless their source is let in', () => {
  const config = {
    config: { mcp_servers: { mine: { command: 'a' }, theirs: { command: 'b' }, off: { enabled: false } } },
    origins: {
      'mcp_servers.mine.command': { name: { type: 'user' } },
      'mcp_servers.theirs.command': { name: { type: 'project' } },
    },
  };
  const servers = (settings: TurnRequest['settings']) =>
    (toThread({ settings }, {}, { config }).params['config'] as JsonObject)['mcp_servers'];
  assert.equal(servers([]), { mine: { enabled: false }, theirs: { enabled: false } });
  assert.equal(servers(['user']), { theirs: { enabled: false } });
  assert.equal(servers(['project']), { mine: { enabled: false } });
});

test('a server of this turn carries our marker and needs no approval', () => {
  const { params } = toThread({
    mcpServers: [{ name: 'lab', type: 'stdio', command: 'x', args: ['y'], env: { A: 'b' } }],
  });
  const servers = (params['config'] as JsonObject)['mcp_servers'] as JsonObject;
  assert.equal(servers['lab'], {
    enabled: true,
    default_tools_approval_mode: 'approve',
    command: 'x',
    args: ['y'],
    env: { A: 'b', TURNOUT_TURN: 'turn-1' },
  });
  assert.is(argv({ mcpServers: [{ name: 'lab', type: 'sse', url: 'http://x', headers: {} }] }), 'refused: unsupported');
});

test('a session is refused in another folder', () => {
  const { actions } = toThread({ resume: 'abc' }, {}, { stored: { cwd: '/elsewhere' } });
  const finish = actions.find((action) => action.do === 'finish');
  assert.ok(finish?.do === 'finish' && !finish.outcome.ok && finish.outcome.message.includes('/elsewhere'));
});

test('a cancel before the turn ends stdin and starts nothing', () => {
  const talk = runner.converse(request(), machine());
  hearAll(talk, [{ type: 'spawned' }]);
  assert.equal(talk.hear({ type: 'stop', cause: 'cancelled' }), [{ do: 'end-stdin' }]);
  const late = hearAll(talk, lines({ id: 1, result: {} }, { id: 2, result: {} }, { id: 3, result: {} }));
  assert.not.ok(written(late).some((message) => String(message['method']).startsWith('thread/')));
});

test('what nobody knows is kept for diagnosis, and unknown requests are refused', () => {
  const talk = runner.converse(request(), machine());
  assert.equal(talk.hear({ type: 'line', text: 'not json' }), [{ do: 'unread', text: 'not json' }]);
  const [answer] = hearAll(talk, lines({ id: 7, method: 'attestation/generate', params: {} }));
  assert.match(answer?.do === 'write' ? answer.line : '', '-32601');
  assert.equal(hearAll(talk, lines({ method: 'some/news', params: {} })), []);
});

test('caller tools with a name of codex get another one', () => {
  assert.is(offeredName('create_nodes'), 'create_nodes');
  assert.is(offeredName('exec_command'), 'caller_exec_command');
  assert.is(offeredName('mcp__x'), 'caller_mcp__x');
  assert.is(declaredName('caller_exec_command', ['exec_command']), 'exec_command');
  assert.is(declaredName('other', ['exec_command']), 'other');
});

test('the command is taken out of the shell around it', () => {
  assert.is(unwrapShell("/bin/bash -lc 'git log --oneline'"), 'git log --oneline');
  assert.is(unwrapShell('/bin/zsh -lc pwd'), 'pwd');
  assert.is(unwrapShell(`/bin/bash -lc "echo 'a' \\"b\\""`), `echo 'a' "b"`);
  assert.is(unwrapShell(`bash -c 'it'"'"'s'`), "it's");
  assert.is(unwrapShell('python3 -c 1'), 'python3 -c 1');
  assert.is(unwrapShell("bash -lc 'broken"), "bash -lc 'broken");
});

test('a used up plan says when it is there again: the latest of its full windows', () => {
  const limits = planLimits();
  const window = (usedPercent: number, resetsAt: number) => ({ usedPercent, windowDurationMins: 300, resetsAt });
  limits.hear({ rateLimits: { limitId: 'codex', primary: window(100, 1000), secondary: window(40, 9000) } });
  assert.is(limits.resetsAt(), 1_000_000);
  limits.hear({ rateLimits: { limitId: 'codex', primary: null, secondary: window(100, 9000) } });
  assert.is(limits.resetsAt(), 9_000_000, 'an update leaves out what still holds');
  const outcome = failedOutcome({ message: 'x', codexErrorInfo: 'usageLimitExceeded' }, limits.resetsAt());
  assert.is(!outcome.ok && outcome.resetsAt, 9_000_000);
});

test('errors are read from their code, then from anchored text', () => {
  const code = (info: JsonObject | string, message = 'x') => {
    const outcome = failedOutcome({ message, codexErrorInfo: info }, null);
    return outcome.ok ? outcome.stopReason : outcome.code;
  };
  assert.is(code('unauthorized'), 'auth');
  assert.is(code({ httpConnectionFailed: { httpStatusCode: 401 } }), 'auth');
  assert.is(code('usageLimitExceeded'), 'quota');
  assert.is(code('contextWindowExceeded'), 'context-full');
  assert.is(code({ responseTooManyFailedAttempts: { httpStatusCode: 429 } }), 'rate-limited');
  assert.is(code('modelNotFound'), 'model-unavailable');
  assert.is(code('internalServerError'), 'runner-error');
  assert.is(code('other', 'Missing environment variable: `KEY`.'), 'auth');
  assert.is(code('other', 'the model said: Missing environment variable: x'), 'runner-error');
  assert.is(code('other', 'Incomplete response returned, reason: max_output_tokens'), 'max_tokens');
  assert.ok(isFiltered('stream disconnected before completion: Incomplete response returned, reason: content_filter'));
  assert.equal(retryNumber('Reconnecting... 2/5'), { attempt: 2, max: 5 });
  assert.is(retryNumber('Reconnecting... waiting for network'), null);
  assert.is(withoutKey('API key provided: sk-ab***cd. You can'), 'API key provided: ***. You can');
});

test('a round is one model call that asked for tools, seen or not', () => {
  const count = rounds();
  const ids = (actions: Action[]) => actions.map((action) => (action.do === 'round' ? action.id : action.do));
  assert.equal(ids(count.tool()), ['call-0']);
  assert.equal(ids(count.tool()), []);
  count.callEnded();
  assert.equal(ids(count.speaks()), []);
  count.callEnded();
  // The call before had no tool that was told, and yet another one follows: the sandbox blocked it.
  assert.equal(ids(count.tool()), ['call-1', 'call-2']);
  count.callEnded();
  count.excused();
  count.callEnded();
  assert.equal(ids(count.speaks()), []);
});

test('whole messages are said where no deltas came, and once only', () => {
  const words = texts();
  assert.equal(words.completed({ type: 'agentMessage', id: 'a', text: 'whole' }), [
    { type: 'assistant', text: 'whole', message_id: 'a' },
  ]);
  words.assistant('b', 'del');
  assert.equal(words.completed({ type: 'agentMessage', id: 'b', text: 'delta' }), []);
  words.thinking('c', 'one', 'summary', 0);
  assert.equal(words.thinking('c', 'two', 'summary', 1), [{ type: 'thinking', text: '\n\ntwo', message_id: 'c' }]);
  assert.equal(words.thinking('c', 'raw', 'raw', 0), []);
  assert.equal(words.completed({ type: 'reasoning', id: 'd', summary: ['x', 'y'], content: [] }), [
    { type: 'thinking', text: 'x\n\ny', message_id: 'd' },
  ]);
});

test('only a schema in the strict subset is sent natively', () => {
  const strict = {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  };
  assert.ok(isStrict(strict));
  assert.not.ok(isStrict({ ...strict, additionalProperties: true }));
  assert.not.ok(isStrict({ ...strict, required: [] }));
  assert.not.ok(isStrict({ type: 'array', items: strict }));
  assert.not.ok(isStrict({ ...strict, properties: { a: { type: 'object', properties: {} } } }));
  assert.not.ok(isStrict({ ...strict, properties: { a: { oneOf: [{ type: 'string' }] } } }));
});

test.run();
