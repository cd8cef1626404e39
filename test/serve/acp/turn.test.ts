// limit: 240s
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { leftovers } from '../../contract/cli.js';
import { begin, choose, closeAll, edit, failed, ofKind, prompt, said } from './editor.js';

test.after.each(closeAll);

test('the handshake needs no runtime, tells what is there, and the exit leaves nothing', async () => {
  const editor = await edit({ args: ['--runtime', 'claude'], capabilities: { auth: { terminal: true } } });
  const { result } = editor.raw[0] ?? {};
  const answer = JSON.parse(JSON.stringify(result));
  assert.is(answer.protocolVersion, 1);
  assert.equal(answer.agentInfo.name, 'turnout');
  assert.equal(answer.agentCapabilities.loadSession, true);
  assert.equal(answer.agentCapabilities.promptCapabilities, { image: true, audio: false, embeddedContext: true });
  assert.equal(Object.keys(answer.agentCapabilities.sessionCapabilities).sort(), [
    'close',
    'delete',
    'fork',
    'list',
    'resume',
  ]);
  assert.equal(answer.authMethods[0].type, 'terminal');
  assert.equal(answer.authMethods[0].args, ['--setup']);
  assert.match(answer.authMethods[0].description, 'claude auth login');
  const refused = await failed(begin(editor));
  assert.match(refused.message, 'not installed');
  assert.is(refused.data['code'], 'missing-binary');
  assert.match(
    (await failed(editor.agent.request('authenticate', { methodId: 'login' }))).message,
    'claude auth login',
  );
  const { code, late, stderr } = await editor.quit();
  assert.equal([code, late, stderr], [0, false, '']);
});

test('a client without terminal logins is offered none', async () => {
  const editor = await edit({ args: ['--runtime', 'claude'] });
  assert.equal(JSON.parse(JSON.stringify(editor.raw[0]?.['result'])).authMethods, []);
  await editor.quit();
});

test('a prompt is answered with text, thoughts, a plan, a title and figures', async () => {
  const editor = await edit();
  const session = await begin(editor);
  const answer = await prompt(editor, session, 'think then plan then say the end');
  assert.is(answer.stopReason, 'end_turn');
  assert.ok((answer.usage?.totalTokens ?? 0) > 0);
  const { totalTokens, inputTokens, outputTokens, cachedReadTokens } = answer.usage ?? {};
  assert.is(totalTokens, (inputTokens ?? 0) + (outputTokens ?? 0) + (cachedReadTokens ?? 0));
  assert.match(said(editor), /the end$/);
  assert.ok(said(editor, session, 'agent_thought_chunk').length > 0);
  const plans = ofKind(editor, 'plan');
  assert.equal(
    plans.at(-1)?.entries.map(({ status }) => status),
    ['completed', 'completed', 'completed'],
  );
  assert.is(ofKind(editor, 'session_info_update')[0]?.title, 'think then plan then say the end');
  const ids = new Set(ofKind(editor, 'agent_message_chunk').map(({ messageId }) => messageId));
  assert.ok(ids.size >= 2 && !ids.has(undefined));
  const { code, lines } = await editor.quit();
  assert.is(code, 0);
  for (const line of lines) assert.is(JSON.parse(line).jsonrpc, '2.0');
});

test('a command is shown with its output, and told to be over', async () => {
  const editor = await edit();
  const session = await begin(editor);
  await prompt(editor, session, 'shell ls');
  const [call] = ofKind(editor, 'tool_call');
  assert.equal(
    [call?.title, call?.kind, call?.status, call?.rawInput],
    ['ls', 'execute', 'in_progress', { command: 'ls' }],
  );
  const [end] = ofKind(editor, 'tool_call_update');
  assert.equal([end?.toolCallId, end?.status], [call?.toolCallId, 'completed']);
  await editor.quit();
});

test('a client with terminals gets the output of a command as one', async () => {
  const editor = await edit({ capabilities: { _meta: { terminal_output: true } } });
  writeFileSync(join(editor.place.cwd, 'seen.txt'), '');
  await prompt(editor, await begin(editor), 'shell ls');
  const [call] = ofKind(editor, 'tool_call');
  assert.equal(call?.content, [{ type: 'terminal', terminalId: call?.toolCallId ?? '' }]);
  const meta = ofKind(editor, 'tool_call_update')[0]?._meta;
  assert.equal(meta?.['terminal_output'], { terminal_id: call?.toolCallId, data: 'seen.txt\n' });
  assert.equal(meta?.['terminal_exit'], { terminal_id: call?.toolCallId, exit_code: 0, signal: null });
  await editor.quit();
});

test('an allowed write comes with its place and its change; the question carries them too', async () => {
  const editor = await edit({ permit: choose('allow_once') });
  const file = join(editor.place.cwd, 'notes.txt');
  await prompt(editor, await begin(editor), 'write notes.txt Hello');
  assert.is(readFileSync(file, 'utf8'), 'Hello');
  const [call] = ofKind(editor, 'tool_call');
  const diff = { type: 'diff' as const, path: file, newText: 'Hello' };
  assert.equal([call?.kind, call?.content, call?.locations], ['edit', [diff], [{ path: file }]]);
  const [question] = editor.questions;
  assert.equal([question?.toolCall.toolCallId, question?.toolCall.content], [call?.toolCallId, [diff]]);
  assert.equal(
    question?.options.map(({ kind }) => kind),
    ['allow_once', 'allow_always', 'reject_once'],
  );
  await editor.quit();
});

test('a rejected write is not made, and its call has failed', async () => {
  const editor = await edit({ permit: choose('reject_once') });
  const session = await begin(editor);
  assert.is((await prompt(editor, session, 'write notes.txt Hello')).stopReason, 'end_turn');
  assert.throws(() => readFileSync(join(editor.place.cwd, 'notes.txt')));
  assert.is(ofKind(editor, 'tool_call_update')[0]?.status, 'failed');
  assert.match(said(editor), 'not allowed');
  await editor.quit();
});

test('what is always allowed is not asked again in that session, and asked in another', async () => {
  const editor = await edit({ permit: choose('allow_always') });
  const session = await begin(editor);
  await prompt(editor, session, 'write a.txt 1');
  await prompt(editor, session, 'write b.txt 2');
  assert.is(editor.questions.length, 1);
  await prompt(editor, await begin(editor), 'write c.txt 3');
  assert.is(editor.questions.length, 2);
  await editor.quit();
});

test('a client that fails to ask, or answers nonsense, has denied', async () => {
  const failing = await edit({
    permit: async () => {
      throw new Error('no window');
    },
  });
  await prompt(failing, await begin(failing), 'ask');
  assert.match(said(failing), 'deny');
  await failing.quit();
  const odd = await edit({ permit: async () => ({ outcome: { outcome: 'selected', optionId: 'nonsense' } }) });
  await prompt(odd, await begin(odd), 'ask');
  assert.match(said(odd), 'deny');
  await odd.quit();
});

test('a question that nobody answers is denied after its time', async () => {
  const editor = await edit({
    args: ['--runtime', 'demo', '--permission-timeout', '200ms'],
    permit: () => new Promise(() => {}),
  });
  const answer = await prompt(editor, await begin(editor), 'ask');
  assert.is(answer.stopReason, 'end_turn');
  assert.match(said(editor), 'Nobody answered in time');
  await editor.quit();
});

test('a cancelled prompt resolves as cancelled, and the session goes on', async () => {
  const editor = await edit();
  const session = await begin(editor);
  const waiting = prompt(editor, session, 'say busy then hang');
  await editor.update((update) => update.sessionUpdate === 'agent_message_chunk');
  await editor.agent.notify('session/cancel', { sessionId: session });
  assert.is((await waiting).stopReason, 'cancelled');
  assert.is((await prompt(editor, session, 'say again')).stopReason, 'end_turn');
  await editor.quit();
  assert.equal(await leftovers(editor.place.mark), []);
});

test('a prompt is cancelled while its question is open, whatever the client does with that', async () => {
  const editor = await edit({
    permit: async (question, { agent }) => {
      await agent.notify('session/cancel', { sessionId: question.sessionId });
      return new Promise(() => {});
    },
  });
  const session = await begin(editor);
  assert.is((await prompt(editor, session, 'ask')).stopReason, 'cancelled');
  assert.is(ofKind(editor, 'tool_call_update').at(-1)?.status, 'failed');
  await editor.quit();
});

test('a request that is cancelled by the protocol itself ends the turn', async () => {
  const editor = await edit();
  const session = await begin(editor);
  const stop = new AbortController();
  const params = { sessionId: session, prompt: [{ type: 'text' as const, text: 'hang' }] };
  const waiting = editor.agent.request('session/prompt', params, { cancellationSignal: stop.signal });
  await editor.update((update) => update.sessionUpdate === 'agent_message_chunk');
  stop.abort();
  assert.is(JSON.parse(JSON.stringify(await waiting)).stopReason, 'cancelled');
  await editor.quit();
});

test('reasons to stop come as the protocol has them; failures as errors with our code', async () => {
  const editor = await edit();
  const session = await begin(editor);
  assert.is((await prompt(editor, session, 'refuse')).stopReason, 'refusal');
  assert.is((await prompt(editor, session, 'cut')).stopReason, 'max_tokens');
  const auth = await failed(prompt(editor, session, 'auth'));
  assert.equal([auth.code, auth.data['code']], [-32000, 'auth']);
  const quota = await failed(prompt(editor, session, 'quota'));
  assert.equal([quota.code, quota.data['code']], [-32603, 'quota']);
  assert.is((await failed(prompt(editor, session, 'crash 3'))).data['code'], 'runner-error');
  assert.is((await failed(prompt(editor, session, 'silent'))).data['code'], 'runner-error');
  await editor.quit();
});

test('retries and notices reach a client that shows notices', async () => {
  const editor = await edit({ capabilities: { session: { notices: {} } } });
  await prompt(editor, await begin(editor), 'retry 1');
  assert.ok(ofKind(editor, 'notice').some(({ severity }) => severity === 'warning'));
  await editor.quit();
});

test('what a subagent says is a thought, not the answer', async () => {
  const editor = await edit();
  const session = await begin(editor);
  await prompt(editor, session, 'subagent');
  assert.not.match(said(editor), 'Looking for the answer');
  assert.match(said(editor, session, 'agent_thought_chunk'), 'Looking for the answer');
  const calls = ofKind(editor, 'tool_call');
  assert.is(new Set(calls.map(({ toolCallId }) => toolCallId)).size, calls.length);
  await editor.quit();
});

test('ids of calls do not repeat from turn to turn', async () => {
  const editor = await edit();
  const session = await begin(editor);
  await prompt(editor, session, 'shell ls');
  await prompt(editor, session, 'shell pwd');
  assert.is(new Set(ofKind(editor, 'tool_call').map(({ toolCallId }) => toolCallId)).size, 2);
  await editor.quit();
});

test('two sessions answer at once and are not mixed up', async () => {
  const editor = await edit();
  const [one, two] = [await begin(editor), await begin(editor)];
  const slow = prompt(editor, one, 'slow 5 then say one is done');
  await prompt(editor, two, 'say two is done');
  await slow;
  assert.match(said(editor, one), 'one is done');
  assert.equal(said(editor, two), 'two is done');
  await editor.quit();
});

test('attachments: links and resources become text, pictures are refused where they are not taken', async () => {
  const editor = await edit();
  const session = await begin(editor);
  const uri = `file://${editor.place.cwd}/a.txt`;
  await editor.agent.request('session/prompt', {
    sessionId: session,
    prompt: [
      { type: 'text', text: 'say look at ' },
      { type: 'resource_link', uri, name: 'a.txt' },
      { type: 'resource', resource: { uri: 'file:///x/b.txt', text: 'inside b' } },
    ],
  });
  assert.match(said(editor), `look at [a.txt](${editor.place.cwd}/a.txt)`);
  assert.match(said(editor), '<file name="/x/b.txt">\ninside b\n</file>');
  const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
  const refused = await failed(editor.agent.request('session/prompt', { sessionId: session, prompt: [image] }));
  assert.equal([refused.code, refused.message], [-32602, 'Demo takes no images']);
  assert.is((await failed(editor.agent.request('session/prompt', { sessionId: session, prompt: [] }))).code, -32602);
  await editor.quit();
});

test.run();
