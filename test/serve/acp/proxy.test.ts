// limit: 120s
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { leftovers, place } from '../../contract/cli.js';
import { begin, choose, closeAll, type Editor, edit, ofKind, prompt, said } from './editor.js';

test.after.each(closeAll);

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
const args = ['--runtime', `acp:${process.execPath} ${join(root, 'fixtures/bin/speaks-acp.js')}`];

/** What the runtime told, with the ids of calls as it gave them. */
function told(editor: Editor) {
  return editor.updates
    .map(({ update }) => JSON.parse(JSON.stringify(update).replace(/"toolCallId":"[0-9a-f]+-/, '"toolCallId":"')))
    .filter(({ sessionUpdate }) => !['config_option_update', 'user_message_chunk'].includes(sessionUpdate));
}

test('a runtime that speaks the protocol is passed on in its own words, live and when it is told again', async () => {
  const home = place();
  const editor = await edit({ place: home, args, permit: choose('allow_once') });
  const session = await begin(editor);
  const answer = await prompt(editor, session, '/compact all of it');
  assert.is(answer.stopReason, 'end_turn');
  const kinds = told(editor);
  const one = (kind: string) => kinds.filter(({ sessionUpdate }) => sessionUpdate === kind);
  assert.equal(one('available_commands_update').at(-1).availableCommands[0].input, { hint: 'what to keep' });
  assert.equal(one('plan'), [
    { sessionUpdate: 'plan', entries: [{ content: 'Move it', priority: 'high', status: 'pending' }] },
  ]);
  const [call] = one('tool_call');
  assert.is(one('tool_call').length, 1);
  assert.equal(
    [call.toolCallId, call.title, call.kind, call.locations, call.rawInput],
    ['c1', 'Move a to b', 'move', [{ path: '/x/a', line: 7 }], { from: 'a', to: 'b' }],
  );
  assert.equal(
    one('tool_call_update').map(({ status, content, rawOutput }) => ({ status, content, rawOutput })),
    [
      {
        status: 'in_progress',
        content: [{ type: 'diff', path: '/x/b', oldText: null, newText: 'moved' }],
        rawOutput: undefined,
      },
      { status: 'completed', content: undefined, rawOutput: { chosen: 'once', extra: [1, 2] } },
    ],
  );
  assert.equal(one('usage_update'), [
    { sessionUpdate: 'usage_update', used: 1200, size: 200000, cost: { amount: 0.5, currency: 'USD' } },
  ]);
  assert.ok(one('agent_message_chunk').some(({ content }) => content.type === 'image'));
  assert.is(one('session_info_update').at(-1).title, 'A title of its own');
  // Its commands are its own to run, and its modes are none of ours.
  assert.is(said(editor), 'asked: /compact all of it done');
  assert.equal(one('current_mode_update'), []);
  const [question] = editor.questions;
  assert.equal([question?.toolCall.title, question?.toolCall.kind], ['Really move a to b?', 'move']);
  assert.equal(
    question?.options.map(({ kind }) => kind),
    ['allow_once', 'allow_always', 'reject_once'],
  );
  await editor.quit();

  const again = await edit({ place: home, args });
  await again.agent.request('session/load', { sessionId: session, cwd: home.cwd, mcpServers: [] });
  const replayed = told(again);
  for (const kind of ['tool_call', 'tool_call_update', 'plan', 'usage_update'])
    assert.equal(
      replayed.filter(({ sessionUpdate }) => sessionUpdate === kind),
      one(kind),
      kind,
    );
  assert.is(said(again), said(editor));
  const before = again.updates.length;
  await prompt(again, session, 'more');
  assert.not.match(said({ ...again, updates: again.updates.slice(before) }), 'old words');
  const { sessions } = await again.agent.request('session/list', {});
  assert.is(sessions[0]?.title, 'A title of its own');
  await again.quit();
  assert.equal(await leftovers(home.mark), []);
});

test('a refusal reaches the runtime as one, and its call has failed', async () => {
  const editor = await edit({ args, permit: choose('reject_once') });
  await prompt(editor, await begin(editor), 'go');
  const last = ofKind(editor, 'tool_call_update').at(-1);
  assert.equal([last?.status, last?.rawOutput], ['failed', { chosen: 'no', extra: [1, 2] }]);
  await editor.quit();
});

test.run();
