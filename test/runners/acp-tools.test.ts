import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Say } from '../../src/runner/action.js';
import { agent, BRIDGE, OPTIONS, type Play } from './acp-play.js';

const call = (more: object) => ({ sessionUpdate: 'tool_call', toolCallId: 'c1', ...more });
const later = (more: object) => ({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', ...more });
const activity = (one: Play) =>
  one.said().filter((event): event is Extract<Say, { type: 'tool_activity' }> => event.type === 'tool_activity');
const permission = (one: Play, toolCall: object, id = 5) =>
  one.ask(id, 'session/request_permission', { options: OPTIONS, toolCall: { toolCallId: 'c1', ...toolCall } });
const asked = (one: Play) => one.actions.flatMap((action) => (action.do === 'ask' ? [action] : []));

test('a call starts once, when its input is there, and ends once', () => {
  const one = agent();
  one.open();
  one.update(call({ title: 'bash', kind: 'execute', status: 'pending', rawInput: { cwd: '/project' } }));
  assert.is(activity(one).length, 0);
  one.update(later({ status: 'in_progress', title: 'ls -l', rawInput: { command: 'ls -l', cwd: '/project' } }));
  one.update(later({ status: 'in_progress', content: [{ type: 'content', content: { type: 'text', text: 'par' } }] }));
  one.update(later({ status: 'completed', rawOutput: { output: 'all', metadata: { exit: 0 } } }));
  one.update(later({ status: 'pending' }));
  assert.equal(activity(one), [
    {
      type: 'tool_activity',
      phase: 'start',
      id: 'c1',
      name: 'bash',
      kind: 'shell',
      input: { command: 'ls -l', cwd: '/project' },
    },
    { type: 'tool_activity', phase: 'end', id: 'c1', ok: true, output: 'all', exit_code: 0 },
  ]);
});

test('a command that failed is not ok although the call is completed', () => {
  const one = agent();
  one.open();
  one.update(call({ title: 'bash', kind: 'execute', rawInput: { command: 'false' } }));
  one.update(later({ status: 'completed', rawOutput: { output: '', metadata: { exit: 1 } } }));
  const end = activity(one)[1];
  assert.ok(end?.phase === 'end' && !end.ok && end.exit_code === 1);
});

test('an update may come before the call it belongs to', () => {
  const one = agent();
  one.open();
  one.update(later({ title: 'read', kind: 'read', status: 'in_progress', rawInput: { filePath: 'a.txt' } }));
  one.update(call({ title: 'read', kind: 'read', status: 'pending' }));
  one.update(later({ status: 'failed', rawOutput: { error: 'gone' } }));
  const [start, end, ...rest] = activity(one);
  assert.ok(start?.phase === 'start' && start.input?.['file_path'] === 'a.txt');
  assert.ok(end?.phase === 'end' && !end.ok && end.output === 'gone');
  assert.is(rest.length, 0);
});

test('a call of which only its end is told has a start too', () => {
  const one = agent({ nameInId: /^(.+?)__/ });
  one.open();
  one.update({ ...later({}), toolCallId: 'read_file__x', status: 'failed', kind: 'read', content: [] });
  assert.equal(
    activity(one).map(({ phase }) => phase),
    ['start', 'end'],
  );
});

test('input is read from titles, places and diffs where there is no other', () => {
  const quirks = { nameInId: /^(.+?)__/, titleIsCommand: true };
  const sees = (toolCallId: string, more: object) => {
    const one = agent(quirks);
    one.open();
    one.update({ sessionUpdate: 'tool_call', toolCallId, status: 'in_progress', ...more });
    const [start] = activity(one);
    return start?.phase === 'start' ? [start.name, start.kind, start.input] : null;
  };
  const diff = { type: 'diff', path: '/project/a', oldText: 'x', newText: 'y' };
  assert.equal(sees('run_shell_command__1', { title: 'ls', kind: 'execute' }), [
    'run_shell_command',
    'shell',
    { command: 'ls' },
  ]);
  assert.equal(sees('read_file__1', { title: 'a', kind: 'read', locations: [{ path: '/project/a' }] }), [
    'read_file',
    'read',
    { file_path: '/project/a' },
  ]);
  assert.equal(sees('write_file__1', { title: 'Writing to a', kind: 'edit', content: [diff] }), [
    'write_file',
    'write',
    { file_path: '/project/a', content: 'y' },
  ]);
  assert.equal(sees('replace__1', { title: 'a: x => y', kind: 'edit', content: [diff] }), [
    'replace',
    'edit',
    { file_path: '/project/a', old_string: 'x', new_string: 'y' },
  ]);
  assert.equal(sees('mystery__1', { title: 'Doing it', kind: 'other' }), ['mystery', 'other', { title: 'Doing it' }]);
});

test('a question starts its call and is put to whoever decides', () => {
  const one = agent();
  one.open();
  permission(one, { title: 'touch x', kind: 'execute', status: 'pending', rawInput: { command: 'touch x' } });
  assert.is(activity(one)[0]?.phase, 'start');
  const [question] = asked(one);
  assert.equal(question?.question, {
    toolUseId: 'c1',
    name: 'execute',
    kind: 'shell',
    input: { command: 'touch x' },
  });
  one.hear({ type: 'decision', key: question?.key ?? '', choice: 'allow_once', message: '' });
  assert.equal(one.replied(5)?.['result'], { outcome: { outcome: 'selected', optionId: 'once' } });
  one.update(later({ status: 'completed' }));
  assert.equal(
    activity(one).map(({ phase }) => phase),
    ['start', 'end'],
  );
});

test('a refused call ends with the reason, whether the agent tells of it or not', () => {
  const one = agent();
  one.open();
  permission(one, { title: 'touch x', kind: 'execute' });
  one.hear({ type: 'decision', key: asked(one)[0]?.key ?? '', choice: 'deny', message: 'no' });
  assert.equal(one.replied(5)?.['result'], { outcome: { outcome: 'selected', optionId: 'no' } });
  one.update(later({ status: 'failed', rawOutput: { error: 'rejected' } }));
  assert.equal(activity(one).slice(1), [
    { type: 'tool_activity', phase: 'end', id: 'c1', ok: false, output: 'no', denied: true },
  ]);
});

test('a second question about a call keeps what the call told of itself', () => {
  const one = agent();
  one.open();
  one.update(call({ title: 'write', kind: 'edit', status: 'pending', rawInput: {} }));
  one.update(later({ status: 'in_progress', rawInput: { filePath: 'x', content: 'abc' } }));
  permission(one, { title: '/project/x', kind: 'edit', rawInput: { filepath: '/project/x', diff: '…' } });
  assert.equal(asked(one)[0]?.question.input, { file_path: 'x', content: 'abc' });
});

test('a question always names the file it is about', () => {
  const one = agent();
  one.open();
  one.update(call({ title: 'read', kind: 'read', status: 'pending', rawInput: {} }));
  permission(one, { title: '/etc', kind: 'other', rawInput: { filepath: '/etc/passwd', parentDir: '/etc' } });
  assert.is(asked(one)[0]?.question.kind, 'read');
  assert.is(asked(one)[0]?.question.input?.['file_path'], '/etc/passwd');
});

test('a question beside a search is no search', () => {
  const one = agent();
  one.open();
  one.update(call({ title: 'grep', kind: 'search', status: 'in_progress', rawInput: { pattern: 'x' } }));
  permission(one, { title: '/etc', kind: 'other', rawInput: { parentDir: '/etc' } });
  assert.is(asked(one)[0]?.question.kind, 'other');
});

test('calls of the caller’s tools are not native activity and their questions are answered here', () => {
  const one = agent({ keepAllowing: ['always'] }, {}, { mcpBridge: BRIDGE });
  one.open();
  one.update(call({ title: 'turnout_add', kind: 'other', status: 'pending', rawInput: {} }));
  permission(one, { title: 'turnout_add', kind: 'other' });
  assert.equal(one.replied(5)?.['result'], { outcome: { outcome: 'selected', optionId: 'always' } });
  one.update(later({ status: 'completed', rawOutput: { output: '3' } }));
  assert.equal(activity(one), []);
  assert.equal(asked(one), []);
});

test('a server of the caller is allowed without asking and shown as mcp', () => {
  const server = { name: 'files', type: 'stdio', command: 'x', args: [], env: {} } as const;
  const one = agent({}, { mcpServers: [{ ...server, args: [] }] });
  one.open();
  permission(one, { title: 'files_read', kind: 'other', rawInput: { path: 'a' } });
  // Allowing for good might be written down somewhere.
  assert.equal(one.replied(5)?.['result'], { outcome: { outcome: 'selected', optionId: 'once' } });
  const [start] = activity(one);
  assert.ok(start?.phase === 'start');
  assert.equal(
    [start.name, start.kind, start.input],
    ['read', 'mcp', { server: 'files', tool: 'read', arguments: { path: 'a' } }],
  );
});

test('a tool whose name only begins like a server’s is a native one', () => {
  const one = agent({}, {}, { mcpBridge: null });
  one.open();
  one.update(call({ title: 'turnout_add', kind: 'other', status: 'in_progress' }));
  assert.is(activity(one).length, 1);
});

test('a question that is not about a tool is refused', () => {
  const one = agent({ sideQuestions: /^workspace-/ });
  one.open();
  one.ask(9, 'session/request_permission', { options: OPTIONS, toolCall: { toolCallId: 'workspace-indexing' } });
  assert.equal(one.replied(9)?.['result'], { outcome: { outcome: 'selected', optionId: 'no' } });
  assert.equal(activity(one), []);
});

test('an agent that can only be told yes for good is not told yes', () => {
  const one = agent();
  one.open();
  one.ask(5, 'session/request_permission', {
    options: [{ optionId: 'forever', kind: 'allow_always', name: 'Always' }],
    toolCall: { toolCallId: 'c1', kind: 'execute', title: 'ls' },
  });
  one.hear({ type: 'decision', key: asked(one)[0]?.key ?? '', choice: 'allow_once', message: '' });
  assert.equal(one.replied(5)?.['result'], { outcome: { outcome: 'cancelled' } });
});

test('a plan kept in a tool is told when the tool has taken it', () => {
  const one = agent({ planFromTodos: true });
  one.open();
  const todos = [
    { content: 'look', status: 'completed' },
    { content: 'drop', status: 'cancelled' },
    { content: 'do', status: 'pending' },
  ];
  one.update(call({ title: 'todowrite', kind: 'other', status: 'in_progress', rawInput: { todos } }));
  assert.not.ok(one.said().some((event) => event.type === 'plan'));
  one.update(later({ status: 'completed', rawOutput: { output: '' } }));
  assert.equal(one.said().at(-1), {
    type: 'plan',
    entries: [
      { content: 'look', status: 'completed' },
      { content: 'do', status: 'pending' },
    ],
  });
});

test.run();
