import { test } from 'uvu';
import * as assert from 'uvu/assert';
import qwen from '../../runners/qwen/index.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Conversation } from '../../src/runner/action.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { type Invocation, isRefusal } from '../../src/runner/runner.js';
import { HELLO, written } from './claude-lines.js';
import { hearAll, lines, machine, request, saidText } from './drive.js';

function invoke(changes: Partial<TurnRequest> = {}): Invocation {
  const answer = qwen.invoke(request(changes), machine());
  if (isRefusal(answer)) throw new Error(answer.message);
  return answer;
}

const without = (invocation: Invocation) =>
  String(invocation.argv[invocation.argv.indexOf('--exclude-tools') + 1]).split(',');
const event = (inner: JsonObject): JsonObject => ({ type: 'stream_event', event: inner, parent_tool_use_id: null });
const start = (id: string) => event({ type: 'message_start', message: { id, model: 'm', content: [] } });
const delta = (text: string) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
const stop = event({ type: 'message_stop' });
const whole = (id: string, block: JsonObject, input_tokens = 0): JsonObject => ({
  type: 'assistant',
  message: { id, model: 'm', content: [block], usage: { input_tokens, output_tokens: 4, cache_read_input_tokens: 1 } },
  parent_tool_use_id: null,
});
const text = (words: string): JsonObject => ({ type: 'text', text: words });
const failed = (message: string): JsonObject => ({
  type: 'result',
  subtype: 'error_during_execution',
  is_error: true,
  error: { message },
});

function begun(changes: Partial<TurnRequest> = {}): Conversation {
  const conversation = qwen.converse(request(changes), machine());
  hearAll(conversation, [{ type: 'spawned' }, ...lines(HELLO, { type: 'system', subtype: 'init', session_id: 's' })]);
  return conversation;
}

const code = (action: Action | undefined) =>
  action?.do === 'finish' && !action.outcome.ok ? action.outcome.code : undefined;

test('without settings only the login of the user is used; with them a guarantee is refused', () => {
  assert.ok(invoke().argv.includes('--safe-mode'));
  assert.not.ok(invoke({ settings: ['user'] }).argv.includes('--safe-mode'));
  for (const access of ['read', 'edit'] as const) {
    assert.ok(isRefusal(qwen.invoke(request({ access, settings: ['user'] }), machine())), access);
  }
});

test('tools that write are offered where writing is allowed or somebody may be asked', () => {
  for (const changes of [{}, { access: 'read' }, { access: 'edit', sandbox: 'read-only' }] as const) {
    assert.ok(without(invoke(changes)).includes('write_file'), JSON.stringify(changes));
  }
  const asked = { access: 'read', approvals: 'stdio' } as const;
  const open = [
    asked,
    { access: 'edit' },
    { access: 'full' },
    { approvals: 'stdio' },
    { allowBashPrefix: ['make'] },
  ] as const;
  const shell = (changes: Partial<TurnRequest>) => !without(invoke(changes)).includes('run_shell_command');
  // It would run git unasked, whatever was written into its configuration.
  assert.not.ok(shell({ access: 'edit' }));
  assert.not.ok(shell({ sandbox: 'workspace-write' }));
  assert.ok(shell({ access: 'edit', allowBashPrefix: ['make'] }));
  assert.ok(shell({}));
  for (const changes of open) assert.not.ok(without(invoke(changes)).includes('write_file'), JSON.stringify(changes));
});

test("the caller's tools come over our MCP bridge, loaded at once and trusted", () => {
  const bridge = { command: 'node', args: ['turnout.js', '__mcp-bridge'], env: { SOCKET: '/s' } };
  const answer = qwen.invoke(request({ toolsOn: true }), machine({ mcpBridge: bridge }));
  assert.not.ok(isRefusal(answer));
  if (isRefusal(answer)) return;
  assert.equal(JSON.parse(answer.files?.['mcp']?.text ?? '').mcpServers.turnout, {
    command: 'node',
    args: ['turnout.js', '__mcp-bridge'],
    env: { SOCKET: '/s', TURNOUT_TURN: 'turn-1' },
    timeout: 86_400_000,
    trust: true,
    alwaysLoadTools: true,
  });
});

test('a system prompt too long for an argument stands in front of the prompt', () => {
  const system = 's'.repeat(60_000);
  assert.not.ok(JSON.stringify(invoke({ system }).argv).includes(system));
  const conversation = qwen.converse(request({ system, prompt: 'p' }), machine());
  const frames = written(hearAll(conversation, [{ type: 'spawned' }, ...lines(HELLO)]));
  assert.ok(JSON.stringify(frames[1]).includes(`${system}\\n\\np`));
  assert.ok(invoke({ system: 'short' }).argv.includes('--append-system-prompt=short'));
});

test('whole blocks with ids of their own repeat nothing, and usage counts once for each call', () => {
  const thought = event({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } });
  const actions = hearAll(
    begun(),
    lines(
      start('m1'),
      thought,
      whole('m1', { type: 'thinking', thinking: 'hm' }),
      delta('a'),
      whole('x1', text('a'), 9),
      stop,
    ),
  );
  assert.is(saidText(actions), 'a');
  assert.is(actions.filter((action) => action.do === 'say').length, 2);
  assert.equal(
    actions.filter((action) => action.do === 'spend'),
    [{ do: 'spend', scope: 'turn', spent: { input: 9, output: 4, cached: 1, costUsd: null } }],
  );
});

test('text after a broken connection replaces what was said before it', () => {
  const retry = { type: 'system', subtype: 'retry', data: { reason: 'retry', preserveText: true } };
  const actions = hearAll(
    begun(),
    lines(start('m1'), delta('Hel'), retry, delta('Hello'), whole('m1', text('HelHello')), stop),
  );
  const said = actions.flatMap((action) =>
    action.do === 'say' && action.event.type === 'assistant' ? [action.event] : [],
  );
  assert.equal(
    said.map((event) => [event.text, event.message_id, event.replaces]),
    [
      ['Hel', 'm1', undefined],
      ['Hello', 'm1.again', 'm1'],
    ],
  );
  assert.is(actions.filter((action) => action.do === 'retrying').length, 1);
});

test('an error that is printed as text is an error and no text', () => {
  const words = '[API Error: 401 Incorrect API key provided]';
  const actions = hearAll(begun(), lines(start('m1'), delta(words), whole('m1', text(words)), stop, failed(words)));
  assert.is(saidText(actions), '');
  assert.is(code(actions.at(-1)), 'auth');
});

test('text that only looks like an error is said when the turn is fine', () => {
  const words = '[API Error: 401 is what the log says]';
  const fine = { type: 'result', subtype: 'success', is_error: false, result: words };
  const actions = hearAll(begun(), lines(start('m1'), delta(words), stop, fine));
  assert.is(saidText(actions), words);
  assert.is(code(actions.at(-1)), undefined);
});

test('a rate limit is known by the line on stderr', () => {
  const told = 'Retrying in 60s (attempt 1/10): [API Error: 429 Rate limit reached]';
  const retry = {
    type: 'system',
    subtype: 'retry',
    data: { attempt: 1, maxRetries: 10, delayMs: 60_000, preserveText: false },
  };
  const over = { type: 'system', subtype: 'retry', data: { reason: 'retry', preserveText: false } };
  const actions = hearAll(begun(), [{ type: 'stderr', text: told }, ...lines(retry, over)]);
  assert.equal(
    actions.map((action) => action.do),
    ['retrying'],
  );
  const [first] = actions;
  assert.ok(first?.do === 'retrying');
  assert.equal([first.attempt, first.max, first.delayMs, first.code], [1, 10, 60_000, 'rate-limited']);
});

test('codes come from the marked error alone', () => {
  const codes = {
    '[API Error: 403 no]': 'auth',
    '[API Error: 404 The model `x` does not exist]': 'model-unavailable',
    '[API Error: 429 rate limit exceeded]\nPossible quota limitations': 'rate-limited',
    '[API Error: 500 internal error]': 'runner-error',
    '[API Error: terminated (cause: UND_ERR_SOCKET: other side closed)]': 'runner-error',
    'Missing API key for OpenAI-compatible auth. Set it.': 'auth',
    'Operation cancelled.': 'runner-error',
  };
  for (const [message, wanted] of Object.entries(codes)) {
    assert.is(code(hearAll(begun(), lines(failed(message))).at(-1)), wanted, message);
  }
});

test('two ends without a result line are known by stderr', () => {
  const gone = (text: string, exit: number) =>
    hearAll(begun(), [
      { type: 'stderr', text },
      { type: 'exit', code: exit, signal: null, files: {} },
    ]).at(-1);
  assert.is(code(gone('No saved session found with ID 1. Run …', 1)), 'session-not-found');
  const turns = gone('Reached max session turns for this session. Increase …', 53);
  assert.ok(turns?.do === 'finish' && turns.outcome.ok && turns.outcome.stopReason === 'max_turns');
});

test('a shell block tells its exit code, a refusing rule its denial, an agent in the background its later end', () => {
  const use = (id: string, name: string) => whole('x', { type: 'tool_use', id, name, input: {} });
  const result = (tool_use_id: string, content: string, is_error = false): JsonObject => ({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id, content, is_error }] },
  });
  const task = (subtype: string, more: JsonObject = {}): JsonObject => ({
    type: 'system',
    subtype,
    data: { task_id: 'a', tool_use_id: 't3', ...more },
  });
  const actions = hearAll(
    begun(),
    lines(
      use('t1', 'run_shell_command'),
      result('t1', 'Command: x\nOutput: Exit Code: 7\nExit Code: 3\nSignal: (none)'),
      use('t2', 'run_shell_command'),
      result(
        't2',
        'This "run_shell_command" invocation was denied by permission rules. Matching deny rule: "edit".',
        true,
      ),
      use('t3', 'agent'),
      task('task_started'),
      result('t3', 'Background agent launched successfully.\ntask_id: a'),
      task('task_notification', { status: 'completed' }),
    ),
  );
  const ends = actions.flatMap((action) =>
    action.do === 'say' && action.event.type === 'tool_activity' && action.event.phase === 'end' ? [action.event] : [],
  );
  assert.is(ends[0]?.exit_code, 3);
  assert.is(ends[1]?.denied, true);
  const told = actions.flatMap((action) => {
    if (action.do !== 'say') return [];
    return action.event.type === 'subagent' || action.event.type === 'tool_activity' ? [action.event.phase] : [];
  });
  assert.equal(told, ['start', 'end', 'start', 'end', 'start', 'started', 'end', 'finished']);
});

test('a subagent that is waited for begins with its prompt and ends with its call, and the end has what it used', () => {
  const conversation = begun({ access: 'full' });
  const input = { prompt: 'look', subagent_type: 'general-purpose', description: 'd', run_in_background: false };
  const own = (content: JsonObject, parent: string | null): JsonObject => ({
    ...{ type: 'user', parent_tool_use_id: parent, message: { role: 'user', content: [content] } },
  });
  const actions = hearAll(
    conversation,
    lines(
      whole('m1', { type: 'tool_use', id: 'c', name: 'agent', input }, 10),
      own(text('look'), 'c'),
      own({ type: 'tool_result', tool_use_id: 'c', is_error: false, content: 'found' }, null),
      whole('m2', text('done'), 10),
      {
        type: 'result',
        subtype: 'success',
        is_error: false,
        result: 'done',
        usage: { input_tokens: 30, output_tokens: 12 },
      },
    ),
  );
  const told = actions.flatMap((one) => (one.do === 'say' && one.event.type === 'subagent' ? [one.event] : []));
  assert.equal(
    told.map(({ phase, id, prompt, summary }) => [phase, id, prompt ?? summary]),
    [
      ['started', 'c', 'look'],
      ['finished', 'c', 'found'],
    ],
  );
  const spent = actions.flatMap((one) => (one.do === 'spend' ? [one.spent.input] : []));
  assert.equal(spent, [10, 20, 30]);
});

test('a call that fails while the turn is being ended was ended with it', () => {
  const conversation = begun();
  const input = { command: 'sleep 9' };
  hearAll(conversation, lines(whole('m1', { type: 'tool_use', id: 'c', name: 'run_shell_command', input }, 10)));
  hearAll(conversation, [{ type: 'stop', cause: 'cancelled' }]);
  const content = [{ type: 'tool_result', tool_use_id: 'c', is_error: true, content: '[Operation Cancelled]' }];
  const ended = hearAll(conversation, lines({ type: 'user', message: { role: 'user', content } }));
  assert.match(JSON.stringify(ended), '"cancelled":true');
});

test('guidance is not taken', () => {
  assert.equal(begun().hear({ type: 'steer', id: 's', text: 'x' }), [{ do: 'steered', id: 's', delivered: false }]);
});

test.run();
