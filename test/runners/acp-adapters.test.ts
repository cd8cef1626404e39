import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { customAgent } from '../../runners/dialects/acp/custom.js';
import { isRefusal } from '../../src/runner/runner.js';
import { play } from './acp-play.js';
import { machine, request, saidText } from './drive.js';

const codex = customAgent(['npx', '-y', '@agentclientprotocol/codex-acp@2.6.0']);
const claude = customAgent(['/opt/bin/claude-agent-acp']);
const modes = (current: string, ...ids: string[]) => ({
  modes: { currentModeId: current, availableModes: ids.map((id) => ({ id, name: id })) },
});
const chunk = (text: string, messageId?: string) => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
  ...(messageId === undefined ? {} : { messageId }),
});

test('an adapter is known by its name anywhere in the command line, and no other program by a part of it', () => {
  assert.is(codex.loginHint, 'codex login');
  assert.is(claude.loginHint, 'claude auth login');
  assert.is(customAgent(['my-codex-acp-fork']).loginHint, null);
});

test('a mode that asks nobody is left before the prompt', () => {
  const one = play(codex.converse(request(), machine()));
  one.open(modes('agent', 'read-only', 'agent', 'agent-full-access'));
  assert.match(JSON.stringify(one.sent('session/set_mode')), '"read-only"');
  one.answer('session/set_mode', {});
  assert.ok(one.sent('session/prompt'));
});

test('an older version has other names for modes; one without any that fits is refused', () => {
  const old = play(codex.converse(request({ access: 'full' }), machine()));
  old.open(modes('read-only', 'read-only', 'auto', 'full-access'));
  assert.match(JSON.stringify(old.sent('session/set_mode')), '"full-access"');
  const strange = play(codex.converse(request(), machine()));
  strange.open(modes('auto', 'auto'));
  assert.is(strange.outcome()?.ok, false);
});

test('what the adapter says for itself is not the model’s, and is the error when nothing else was said', () => {
  const one = play(codex.converse(request(), machine()));
  one.open(modes('read-only', 'read-only'));
  one.update(chunk('Warning: Model metadata for `x` not found.'));
  one.update(chunk('Hello', 'm-1'));
  assert.is(saidText(one.actions), 'Hello');
  const usage = { inputTokens: 1000, cachedReadTokens: 200, outputTokens: 34, thoughtTokens: 10, totalTokens: 1234 };
  one.answer('session/prompt', { stopReason: 'end_turn', usage });
  assert.equal(one.outcome(), { ok: true, stopReason: 'end_turn' });
  const spent = one.actions.find((action) => action.do === 'spend');
  assert.equal(spent?.do === 'spend' && [spent.spent.input, spent.spent.output], [1200, 34]);

  const failed = play(codex.converse(request(), machine()));
  failed.open(modes('read-only', 'read-only'));
  failed.update(chunk('We are currently experiencing high demand.'));
  failed.answer('session/prompt', { stopReason: 'end_turn', usage: null });
  const outcome = failed.outcome();
  assert.ok(outcome?.ok === false && outcome.code === 'runner-error' && outcome.message.includes('high demand'));
});

test('a failure that is told as text of the adapter’s own has its code by its first words', () => {
  for (const [words, code] of [
    ['exceeded retry limit, last status: 429 Too Many Requests, request id: r', 'rate-limited'],
    ['Missing environment variable: `KEY`.', 'auth'],
  ] as const) {
    const one = play(codex.converse(request(), machine()));
    one.open(modes('read-only', 'read-only'));
    one.update(chunk(words));
    one.answer('session/prompt', { stopReason: 'end_turn', usage: null });
    const outcome = one.outcome();
    assert.is(outcome?.ok === false && outcome.code, code);
  }
});

test('what a command prints comes beside the protocol', () => {
  const one = play(codex.converse(request(), machine()));
  one.open(modes('read-only', 'read-only'));
  const call = { toolCallId: 'c', kind: 'execute' };
  const rawInput = { command: 'ls' };
  one.update({ sessionUpdate: 'tool_call', ...call, name: 'exec_command', status: 'in_progress', rawInput });
  const data = (text: string) => ({ terminal_output_delta: { data: text, terminal_id: 'c' } });
  one.update({ sessionUpdate: 'tool_call_update', ...call, _meta: data('one\n') });
  const exit = { terminal_exit: { exit_code: 2, signal: null, terminal_id: 'c' } };
  one.update({ sessionUpdate: 'tool_call_update', ...call, status: 'completed', _meta: { ...data('two\n'), ...exit } });
  const end = one.said().find((event) => event.type === 'tool_activity' && event.phase === 'end');
  assert.equal(end?.type === 'tool_activity' && end.phase === 'end' && [end.output, end.exit_code, end.ok], [
    'one\ntwo\n',
    2,
    false,
  ]);
});

test('the caller’s tools stand in the list, and a model of any name can be asked for', () => {
  const invocation = claude.invoke(request({ model: 'claude-x' }), machine());
  if (isRefusal(invocation)) throw new Error(invocation.message);
  assert.is(invocation.env['ENABLE_TOOL_SEARCH'], 'false');
  assert.is(invocation.env['ANTHROPIC_MODEL'], 'claude-x');
});

test.run();
