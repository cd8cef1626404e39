/** Requests in both directions, by hand: hello, questions, hooks, our MCP server, stop and guidance. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import claude from '../../runners/claude/index.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { obj, str } from '../../src/text/json.js';
import { begun, call, delta, HELLO, ok, permission, start, stop, TAKEN, tools, written } from './claude-lines.js';
import { hearAll, lines, machine, request, saidText } from './drive.js';

test('the prompt waits for the answer to the hello', () => {
  const conversation = claude.converse(request({ prompt: 'hi' }), machine());
  const [hello] = written(conversation.hear({ type: 'spawned' }));
  assert.is(str(hello, 'request', 'subtype'), 'initialize');
  const [prompt] = written(hearAll(conversation, lines(HELLO)));
  assert.is(str(prompt, 'message', 'content', 0, 'text'), 'hi');
  assert.equal(written(hearAll(conversation, lines(HELLO))), [], 'a second answer sends no second prompt');
});

test('system prompt, schema and tools go with the hello', () => {
  const conversation = claude.converse(
    request({ system: 'SYS', outputSchema: { type: 'object' }, toolsOn: true, tools }),
    machine(),
  );
  const [hello] = written(conversation.hear({ type: 'spawned' }));
  assert.equal(hello?.['request'], {
    subtype: 'initialize',
    hooks: null,
    sdkMcpServers: ['turnout'],
    appendSystemPrompt: 'SYS',
    jsonSchema: { type: 'object' },
  });
});

test("the guard is set with the user's configuration only, and not at full access", () => {
  const hooks = (changes: Partial<TurnRequest>) => {
    const [hello] = written(claude.converse(request(changes), machine()).hear({ type: 'spawned' }));
    return obj(hello, 'request', 'hooks') ?? null;
  };
  const guard = { PreToolUse: [{ hookCallbackIds: ['turnout-guard'] }] };
  assert.equal(hooks({ settings: ['project'] }), guard);
  assert.equal(hooks({ settings: ['project'], access: 'edit' }), guard);
  assert.is(hooks({}), null);
  assert.is(hooks({ settings: ['user'], access: 'full' }), null);
});

test('a schema that can be no tool is asked for in words', () => {
  const schemas: JsonObject[] = [{ type: 'array' }, { type: 'object', anyOf: [] }, { $ref: '#/$defs/a' }];
  for (const outputSchema of schemas) {
    const conversation = claude.converse(request({ prompt: 'p', outputSchema }), machine());
    const [hello, prompt] = written(hearAll(conversation, [{ type: 'spawned' }, ...lines(HELLO)]));
    assert.is(obj(hello, 'request', 'jsonSchema'), undefined);
    const text = str(prompt, 'message', 'content', 0, 'text') ?? '';
    assert.ok(text.startsWith('p\n') && text.endsWith(JSON.stringify(outputSchema)));
  }
});

test('a program that refuses the hello ends the turn instead of running without its tools', () => {
  const conversation = claude.converse(request(), machine());
  conversation.hear({ type: 'spawned' });
  const refused = {
    type: 'control_response',
    response: { subtype: 'error', request_id: 'turnout-hello', error: 'nope' },
  };
  const actions = hearAll(conversation, lines(refused));
  assert.equal(
    actions.map((action) => action.do),
    ['finish'],
  );
});

test('a prompt that begins with a slash is text, unless the user has commands of his own', () => {
  const textOf = (changes: Partial<TurnRequest>) => {
    const conversation = claude.converse(request({ prompt: '/help me', ...changes }), machine());
    return str(
      written(hearAll(conversation, [{ type: 'spawned' }, ...lines(HELLO)]))[1],
      'message',
      'content',
      0,
      'text',
    );
  };
  assert.is(textOf({}), '\n/help me');
  assert.is(textOf({ settings: ['user'] }), '/help me');
});

test('a question about a call that was not told yet tells it first, and only once', () => {
  const conversation = begun();
  const asked = permission('q1', { tool_name: 'Bash', input: { command: 'touch x' }, tool_use_id: 't1' });
  const actions = hearAll(conversation, lines(asked));
  assert.equal(
    actions.map((action) => action.do),
    ['say', 'ask'],
  );
  const again = hearAll(conversation, lines(call('t1', 'Bash', { command: 'touch x' })));
  assert.not.ok(again.some((action) => action.do === 'say'));
});

test('yes carries the input back, no its reason, and a withdrawn question gets no answer', () => {
  const conversation = begun();
  const ask = (id: string) =>
    hearAll(conversation, lines(permission(id, { tool_name: 'Bash', input: { command: id } })));
  ask('q1');
  ask('q2');
  ask('q3');
  const [yes] = written(conversation.hear({ type: 'decision', key: 'q1', choice: 'allow_session', message: '' }));
  assert.equal(yes?.['response'], {
    subtype: 'success',
    request_id: 'q1',
    response: { behavior: 'allow', updatedInput: { command: 'q1' } },
  });
  const [no] = written(conversation.hear({ type: 'decision', key: 'q2', choice: 'deny', message: 'not today' }));
  assert.equal(str(no, 'response', 'response', 'message'), 'not today');
  const gone = hearAll(conversation, lines({ type: 'control_cancel_request', request_id: 'q3' }));
  assert.equal(gone, [{ do: 'withdraw', key: 'q3' }]);
  assert.equal(conversation.hear({ type: 'decision', key: 'q3', choice: 'allow_once', message: '' }), []);
  assert.equal(conversation.hear({ type: 'decision', key: 'q1', choice: 'allow_once', message: '' }), []);
});

test('caller tools and servers of the caller need no question; a server of the user does', () => {
  const mcpServers = [{ name: 'my ext', type: 'stdio' as const, command: 'x', args: [], env: {} }];
  const conversation = begun({ toolsOn: true, tools, mcpServers });
  for (const name of ['mcp__turnout__a', 'mcp__my_ext__ping']) {
    const actions = hearAll(conversation, lines(permission(name, { tool_name: name, input: {} })));
    assert.equal(
      actions.map((action) => action.do),
      ['write'],
      name,
    );
  }
  const foreign = hearAll(conversation, lines(permission('u', { tool_name: 'mcp__users__x', input: { a: 1 } })));
  const question = foreign.find((action) => action.do === 'ask');
  assert.ok(question?.do === 'ask');
  assert.equal(question.question, {
    name: 'mcp__users__x',
    kind: 'mcp',
    input: { server: 'users', tool: 'x', arguments: { a: 1 } },
  });
});

test('full access says yes to all, but answers no question meant for a person', () => {
  const conversation = begun({ access: 'full' });
  const [yes] = written(
    hearAll(conversation, lines(permission('q', { tool_name: 'Bash', input: { command: 'rm x' } }))),
  );
  assert.is(str(yes, 'response', 'response', 'behavior'), 'allow');
  const person = permission('p', { tool_name: 'AskUserQuestion', input: {}, requires_user_interaction: true });
  assert.is(str(written(hearAll(conversation, lines(person)))[0], 'response', 'response', 'behavior'), 'deny');
});

test("with the user's rules every call that could change something is sent to the question", () => {
  const conversation = begun({ settings: ['user'], toolsOn: true, tools });
  const decision = (tool_name: string, callback_id = 'turnout-guard') => {
    const hook = {
      type: 'control_request',
      request_id: 'h',
      request: { subtype: 'hook_callback', callback_id, input: { tool_name } },
    };
    const [answer] = written(hearAll(conversation, lines(hook)));
    return str(answer, 'response', 'response', 'hookSpecificOutput', 'permissionDecision');
  };
  assert.is(decision('Bash'), 'ask');
  assert.is(decision('Write'), 'ask');
  assert.is(decision('mcp__users__x'), 'ask');
  assert.is(decision('Read'), undefined);
  assert.is(decision('mcp__turnout__a'), undefined);
  assert.is(decision('Bash', 'other'), undefined);
});

test('a request nobody knows is answered, so that the program does not wait for ever', () => {
  const actions = hearAll(begun(), lines({ type: 'control_request', request_id: 'r', request: { subtype: 'sing' } }));
  assert.is(str(written(actions)[0], 'response', 'subtype'), 'error');
  assert.ok(actions.some((action) => action.do === 'unread'));
});

test('messages for our server are passed on and answered under the id of their request', () => {
  const conversation = begun({ toolsOn: true, tools });
  const send = (request_id: string, message: JsonObject) =>
    hearAll(
      conversation,
      lines({
        type: 'control_request',
        request_id,
        request: { subtype: 'mcp_message', server_name: 'turnout', message },
      }),
    );
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  assert.equal(send('r1', list), [{ do: 'mcp', channel: 'turnout', message: list }]);
  const result = { tools: [{ name: 'a', annotations: { title: 'A' } }] };
  const [answer] = written(
    conversation.hear({ type: 'mcp', channel: 'turnout', message: { jsonrpc: '2.0', id: 1, result } }),
  );
  assert.is(str(answer, 'response', 'request_id'), 'r1');
  assert.ok(JSON.stringify(answer).includes('"annotations":{"title":"A","readOnlyHint":true}'));
  const note = send('r2', { jsonrpc: '2.0', method: 'notifications/initialized' });
  assert.equal(
    note.map((action) => action.do),
    ['write', 'mcp'],
  );
  assert.equal(conversation.hear({ type: 'mcp', channel: 'turnout', message: { id: 9, result: {} } }), []);
  const stray = hearAll(
    begun(),
    lines({
      type: 'control_request',
      request_id: 'r',
      request: { subtype: 'mcp_message', server_name: 'turnout', message: list },
    }),
  );
  assert.is(str(written(stray)[0], 'response', 'subtype'), 'error');
});

test('a stop interrupts, before the prompt it only closes stdin', () => {
  const stopped = begun().hear({ type: 'stop', cause: 'cancelled' });
  assert.is(str(written(stopped)[0], 'request', 'subtype'), 'interrupt');
  const early = claude.converse(request(), machine());
  early.hear({ type: 'spawned' });
  assert.equal(early.hear({ type: 'stop', cause: 'cancelled' }), [{ do: 'end-stdin' }]);
  assert.equal(written(hearAll(early, lines(HELLO))), [], 'no prompt after a stop');
});

test('guidance before the prompt follows it; what never arrived is told at the end', () => {
  const conversation = claude.converse(request({ prompt: 'p' }), machine());
  conversation.hear({ type: 'spawned' });
  assert.equal(conversation.hear({ type: 'steer', id: 's1', text: 'more' }), []);
  const frames = written(hearAll(conversation, lines(HELLO)));
  assert.equal(
    frames.map((frame) => str(frame, 'message', 'content', 0, 'text')),
    ['p', 'more'],
  );
  const end = hearAll(conversation, lines({ type: 'result', subtype: 'success', is_error: true, result: 'x' }));
  assert.equal(
    end.map((action) => action.do),
    ['steered', 'finish'],
  );
});

test('an echo nobody recognizes does not keep the turn open for ever', () => {
  const conversation = begun();
  conversation.hear({ type: 'steer', id: 's1', text: 'more' });
  const first = hearAll(conversation, lines(ok()));
  assert.equal(first, []);
  const echo = {
    type: 'user',
    isReplay: true,
    message: { role: 'user', content: [{ type: 'text', text: 'changed' }] },
  };
  const second = hearAll(conversation, lines(echo, ok()));
  assert.equal(
    second.flatMap((action) => (action.do === 'phase' ? [] : [action.do])),
    ['steered', 'finish'],
  );
});

test('a turn that the program began by itself is no end and no text of ours', () => {
  const conversation = claude.converse(request(), machine());
  hearAll(conversation, [{ type: 'spawned' }, ...lines(HELLO)]);
  const foreign = [
    ...lines({ type: 'system', subtype: 'init', session_id: 's' }, start('f1'), delta('about a task'), stop()),
    ...lines({ ...ok(), origin: { kind: 'task-notification' } }),
  ];
  const before = hearAll(conversation, foreign);
  assert.is(saidText(before), '');
  assert.not.ok(before.some((action) => action.do === 'finish'));
  const told = before.flatMap((action) =>
    action.do === 'say' && action.event.type === 'notice' ? [action.event.message] : [],
  );
  assert.is(told.length, 1);
  assert.match(told[0] ?? '', /a turn of its own \(task notification\)/);
  // The same end without a name, from a version that gives none.
  assert.not.ok(hearAll(conversation, lines(ok())).some((action) => action.do === 'finish'));
  const ours = hearAll(conversation, lines(TAKEN, start('m1'), delta('the answer'), stop(), ok()));
  assert.is(saidText(ours), 'the answer');
  assert.is(ours.at(-1)?.do, 'finish');
});

test.run();
