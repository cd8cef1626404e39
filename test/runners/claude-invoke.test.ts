import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { guardHooks } from '../../runners/claude/access.js';
import claude from '../../runners/claude/index.js';
import { isAtLeast } from '../../runners/dialects/version.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { type Arg, type Invocation, isRefusal } from '../../src/runner/runner.js';
import { machine, request } from './drive.js';

function invoke(changes: Partial<TurnRequest> = {}, place: Machine = machine()): Invocation {
  const answer = claude.invoke(request(changes), place);
  assert.not.ok(isRefusal(answer));
  if (isRefusal(answer)) throw new Error(answer.message);
  return answer;
}

/** What stands after a flag; undefined when it is not there. */
function value(invocation: Invocation, flag: string): Arg | undefined {
  const at = invocation.argv.indexOf(flag);
  return at < 0 ? undefined : invocation.argv[at + 1];
}

const offered = (invocation: Invocation): string[] => String(value(invocation, '--tools')).split(',');
const WRITERS = ['Edit', 'Write', 'NotebookEdit'];
const writers = (invocation: Invocation) => offered(invocation).filter((name) => WRITERS.includes(name));

const tools = [{ name: 'a', description: 'd', schema: {} }];

test('neither prompt nor system prompt nor schema stands in argv', () => {
  const { argv, stdin } = invoke({ prompt: 'PROMPT', system: 'SYSTEM', outputSchema: { title: 'SCHEMA' } });
  assert.not.ok(/PROMPT|SYSTEM|SCHEMA/.test(JSON.stringify(argv)));
  assert.is(stdin, 'hold');
});

test('without settings nothing of the user is loaded, notes about the project included', () => {
  const none = invoke();
  assert.is(value(none, '--setting-sources'), '');
  assert.ok(none.argv.includes('--strict-mcp-config'));
  assert.is(none.env['CLAUDE_CODE_DISABLE_AUTO_MEMORY'], '1');
  const all = invoke({ settings: ['user', 'project'] });
  assert.is(value(all, '--setting-sources'), 'user,project');
  assert.not.ok(all.argv.includes('--strict-mcp-config'));
  assert.is(all.env['CLAUDE_CODE_DISABLE_AUTO_MEMORY'], undefined);
});

test('a new session gets our id, a continued one its own and a system prompt that counts', () => {
  assert.is(value(invoke(), '--session-id'), machine().ids.session);
  const plain = invoke({ resume: 'sess' });
  assert.is(value(plain, '--resume'), 'sess');
  assert.is(value(plain, '--session-id'), undefined);
  assert.is(value(plain, '--system-prompt-snapshot'), undefined);
  assert.is(value(invoke({ resume: 'sess', system: 's' }), '--system-prompt-snapshot'), 'off');
});

test('flags that an old version does not know are left out', () => {
  const program = { ...machine().program, version: '2.1.197' };
  const { argv } = invoke({ resume: 'sess', system: 's' }, machine({ program }));
  assert.not.ok(argv.includes('--system-prompt-snapshot'));
  assert.not.ok(argv.includes('--forward-subagent-text'));
});

test('versions are compared as numbers, an unknown one counts as new', () => {
  assert.not.ok(isAtLeast('2.1.99', [2, 1, 197]));
  assert.ok(isAtLeast('2.1.197', [2, 1, 197]));
  assert.ok(isAtLeast('2.2.0', [2, 1, 197]));
  assert.not.ok(isAtLeast('1.9.300', [2, 1, 197]));
  assert.ok(isAtLeast(null, [2, 1, 197]));
  assert.ok(isAtLeast('canary', [2, 1, 197]));
});

test('the modes that change nothing offer no tool that writes', () => {
  for (const access of ['scoped', 'read'] as const) {
    const invocation = invoke({ access });
    assert.equal(writers(invocation), [], access);
    assert.is(value(invocation, '--permission-mode'), 'default', access);
  }
  assert.not.match(String(value(invoke(), '--tools')), /Web/);
  assert.match(String(value(invoke({ access: 'read' }), '--tools')), /WebFetch/);
});

test('writing is offered by mode edit and by scoped with its sandbox, unless the sandbox is tighter', () => {
  for (const changes of [{ access: 'edit' }, { access: 'scoped', sandbox: 'workspace-write' }] as const) {
    const invocation = invoke(changes);
    assert.equal(writers(invocation), WRITERS);
    // Each call comes to us, with or without the user's settings: what steers git is not written, and git does not run.
    assert.is(value(invocation, '--permission-mode'), 'default');
    assert.ok(guardHooks(request(changes)));
  }
  const tight = invoke({ access: 'edit', sandbox: 'read-only' });
  assert.equal(writers(tight), []);
  assert.is(value(tight, '--permission-mode'), 'default');
  assert.equal(writers(invoke({ access: 'read', sandbox: 'workspace-write' })), []);
});

test('a host that is asked may allow what the mode does not: the tools are there, and nothing passes unasked', () => {
  const invocation = invoke({ approvals: 'stdio' });
  assert.equal(writers(invocation), WRITERS);
  assert.ok(offered(invocation).includes('WebFetch'));
  assert.is(value(invocation, '--permission-mode'), 'default');
  assert.equal(writers(invoke({ access: 'read', approvals: 'stdio' })), WRITERS);
  assert.equal(writers(invoke({ access: 'none', approvals: 'stdio' })), []);
});

test('full access bypasses questions, as root it does not try to', () => {
  assert.is(value(invoke({ access: 'full' }), '--permission-mode'), 'bypassPermissions');
  const root = invoke({ access: 'full' }, machine({ uid0: true }));
  assert.is(value(root, '--permission-mode'), 'default');
  assert.is(root.env['IS_SANDBOX'], undefined);
  assert.is(value(root, '--tools'), undefined);
  assert.match(String(value(root, '--disallowedTools')), /AskUserQuestion/);
});

test('a limit of rounds leaves room for the answer after the last of them', () => {
  assert.is(value(invoke({ maxTurns: 1 }), '--max-turns'), '2');
  assert.is(value(invoke(), '--max-turns'), '26');
});

test('retries are capped and nothing works on in the background', () => {
  const { env } = invoke();
  assert.is(env['CLAUDE_CODE_MAX_RETRIES'], '3');
  assert.is(env['CLAUDE_CODE_DISABLE_BACKGROUND_TASKS'], '1');
});

test('effort is a flag, and off means no thinking', () => {
  assert.is(value(invoke({ effort: 'xhigh' }), '--effort'), 'xhigh');
  const off = invoke({ effort: 'off' });
  assert.is(value(off, '--effort'), undefined);
  assert.is(off.env['CLAUDE_CODE_DISABLE_THINKING'], '1');
});

test('servers of the caller go through a private file, so that no secret stands in argv', () => {
  const invocation = invoke({
    mcpServers: [
      { name: 'my ext', type: 'stdio', command: 'x', args: ['y'], env: { TOKEN: 'secret' } },
      { name: 'web', type: 'http', url: 'http://127.0.0.1/', headers: { authorization: 'secret' } },
    ],
  });
  assert.not.ok(JSON.stringify(invocation.argv).includes('secret'));
  assert.equal(value(invocation, '--mcp-config'), { file: 'mcp' });
  assert.equal(JSON.parse(invocation.files?.['mcp']?.text ?? ''), {
    mcpServers: {
      'my ext': { type: 'stdio', command: 'x', args: ['y'], env: { TOKEN: 'secret', TURNOUT_TURN: 'turn-1' } },
      web: { type: 'http', url: 'http://127.0.0.1/', headers: { authorization: 'secret' } },
    },
  });
  assert.is(value(invocation, '--allowedTools'), 'mcp__my_ext,mcp__web');
});

test('caller tools are allowed, offered at once and given time; without definitions there is no server', () => {
  const on = invoke({ toolsOn: true, tools });
  assert.is(value(on, '--allowedTools'), 'mcp__turnout');
  assert.is(on.env['ENABLE_TOOL_SEARCH'], 'false');
  assert.is(on.env['MCP_TOOL_TIMEOUT'], '86400000');
  const empty = invoke({ toolsOn: true, tools: [] });
  assert.is(value(empty, '--allowedTools'), undefined);
});

test('the program of a shim comes with its own arguments in front', () => {
  const program = { ...machine().program, path: '/usr/bin/node', args: ['/opt/cli.js'] };
  assert.equal(invoke({}, machine({ program })).argv.slice(0, 3), ['/usr/bin/node', '/opt/cli.js', '-p']);
});

test('model and budget are passed on as they are', () => {
  const invocation = invoke({ model: 'opus[1m]', budgetUsd: 1e-5 });
  assert.is(value(invocation, '--model'), 'opus[1m]');
  assert.is(value(invocation, '--max-budget-usd'), '0.00001');
  assert.is(value(invoke({ budgetUsd: 1e-9 }), '--max-budget-usd'), '1e-9');
});

test.run();
