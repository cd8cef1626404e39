/** What agents ask people, in each dialect: as it is asked of us, and as the answer goes back. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import claude from '../../runners/claude/index.js';
import codex from '../../runners/codex/index.js';
import { elicited } from '../../runners/dialects/elicitation.js';
import droid from '../../runners/droid/index.js';
import type { Answers } from '../../src/contract/question.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Conversation, Inquiry } from '../../src/runner/action.js';
import { obj, str } from '../../src/text/json.js';
import { agent } from './acp-play.js';
import { begun, permission, written } from './claude-lines.js';
import { hearAll, lines, machine, request } from './drive.js';

function asked(actions: readonly Action[]): { key: string; inquiry: Inquiry } {
  const one = actions.find((action) => action.do === 'inquire');
  if (one?.do !== 'inquire') throw new Error(`nothing is asked: ${JSON.stringify(actions)}`);
  return one;
}
const answer = (to: Conversation, key: string, answers: Answers | null) =>
  written(to.hear({ type: 'answers', key, answers }));

const QUESTIONS: JsonObject[] = [
  { question: 'Which?', header: 'Pick', options: [{ label: 'A', description: 'first' }, { label: 'B' }] },
  { question: 'Sizes?', multiSelect: true, options: [{ label: 'S' }, { label: 'M' }] },
];
const claudeAsks = (id: string, questions: JsonObject[]) =>
  permission(id, { tool_name: 'AskUserQuestion', input: { questions }, requires_user_interaction: true });

test('claude’s questions get their answers by the text of each question', () => {
  const talk = begun({ questions: 'stdio' });
  const { key, inquiry } = asked(hearAll(talk, lines(claudeAsks('p', QUESTIONS))));
  assert.equal(inquiry.questions, [
    {
      id: 'q0',
      question: 'Which?',
      header: 'Pick',
      choices: [{ value: 'A', description: 'first' }, { value: 'B' }],
      other: true,
    },
    { id: 'q1', question: 'Sizes?', choices: [{ value: 'S' }, { value: 'M' }], other: true, multi_select: true },
  ]);
  const [reply] = answer(talk, key, { q0: 'B', q1: ['S', 'M'] });
  assert.is(str(reply, 'response', 'response', 'behavior'), 'allow');
  assert.equal(obj(reply, 'response', 'response', 'updatedInput', 'answers'), { 'Which?': 'B', 'Sizes?': 'S, M' });
});

test('claude is told when nobody answers, and asks nobody without --questions', () => {
  const talk = begun({ questions: 'stdio' });
  const { key } = asked(hearAll(talk, lines(claudeAsks('p', QUESTIONS))));
  assert.is(str(answer(talk, key, null)[0], 'response', 'response', 'behavior'), 'deny');
  const twice = [{ question: 'Same?' }, { question: 'Same?' }];
  const same = written(hearAll(talk, lines(claudeAsks('p2', twice))));
  assert.is(str(same[0], 'response', 'response', 'behavior'), 'deny', 'answers by text would be ambiguous');
  const gone = asked(hearAll(talk, lines(claudeAsks('p3', QUESTIONS))));
  const withdrawn = hearAll(talk, lines({ type: 'control_cancel_request', request_id: gone.key }));
  assert.equal(withdrawn, [{ do: 'withdraw', key: gone.key }]);
  const argv = (questions: 'stdio' | undefined) =>
    JSON.stringify(claude.invoke(request(questions ? { questions } : {}), machine()));
  assert.match(argv('stdio'), 'AskUserQuestion');
  assert.not.match(argv(undefined), 'AskUserQuestion');
});

test('a server’s form reaches a person through claude and codex', () => {
  const schema = { type: 'object', properties: { age: { type: 'integer', title: 'Age' } }, required: ['age'] };
  const talk = begun({ questions: 'stdio' });
  const elicit = { subtype: 'elicitation', mcp_server_name: 's', message: 'How old?', mode: 'form' };
  const line = { type: 'control_request', request_id: 'e', request: { ...elicit, requested_schema: schema } };
  const { key, inquiry } = asked(hearAll(talk, lines(line)));
  assert.equal(inquiry, {
    source: 'mcp',
    questions: [{ id: 'age', question: 'How old?', header: 'Age', required: true }],
  });
  assert.equal(obj(answer(talk, key, { age: '41' })[0], 'response', 'response'), {
    action: 'accept',
    content: { age: 41 },
  });
  const wrong = asked(hearAll(talk, lines({ ...line, request_id: 'e2' })));
  assert.equal(obj(answer(talk, wrong.key, { age: 'old' })[0], 'response', 'response'), { action: 'decline' });

  const other = codex.converse(request({ questions: 'stdio' }), machine());
  other.hear({ type: 'spawned' });
  const params = { serverName: 's', message: 'How old?', requestedSchema: schema };
  const form = asked(hearAll(other, lines({ id: 7, method: 'mcpServer/elicitation/request', params })));
  assert.equal(answer(other, form.key, { age: '41' }), [
    { id: 7, result: { action: 'accept', content: { age: 41 }, _meta: null } },
  ]);
});

test('codex’s questions have ids of their own, a deadline and secrets', () => {
  const talk = codex.converse(request({ questions: 'stdio' }), machine());
  talk.hear({ type: 'spawned' });
  const params = {
    itemId: 'i1',
    autoResolutionMs: 60_000,
    questions: [
      { id: 'a', header: 'Pick', question: 'Which?', isOther: true, options: [{ label: 'A' }] },
      { id: 'key', question: 'Token?', isSecret: true, options: null },
    ],
  };
  const { key, inquiry } = asked(hearAll(talk, lines({ id: 3, method: 'item/tool/requestUserInput', params })));
  assert.equal(inquiry, {
    source: 'agent',
    toolUseId: 'i1',
    timeoutMs: 60_000,
    questions: [
      { id: 'a', question: 'Which?', header: 'Pick', choices: [{ value: 'A' }], other: true },
      { id: 'key', question: 'Token?', secret: true },
    ],
  });
  assert.equal(answer(talk, key, { a: 'A' }), [{ id: 3, result: { answers: { a: { answers: ['A'] } } } }]);
  const late = asked(hearAll(talk, lines({ id: 4, method: 'item/tool/requestUserInput', params })));
  assert.equal(answer(talk, late.key, null), [{ id: 4, result: { answers: {} } }]);
});

test('droid’s questions go by their index', () => {
  const talk = droid.converse(request({ questions: 'stdio' }), machine());
  talk.hear({ type: 'spawned' });
  const params = { questions: [{ index: 1, topic: 'Pick', question: 'Which?', options: ['A', 'B'] }] };
  const { key } = asked(hearAll(talk, lines({ type: 'request', id: 'u', method: 'droid.ask_user', params })));
  const [reply] = answer(talk, key, { '1': 'B' });
  assert.equal(reply?.['result'], { cancelled: false, answers: [{ index: 1, question: 'Which?', answer: 'B' }] });
  const again = asked(hearAll(talk, lines({ type: 'request', id: 'w', method: 'droid.ask_user', params })));
  assert.equal(answer(talk, again.key, null)[0]?.['result'], { cancelled: true, answers: [] });
});

const FORM = {
  mode: 'form',
  message: 'Which one?',
  requestedSchema: {
    type: 'object',
    properties: {
      question_0: {
        type: 'string',
        oneOf: [
          { const: 'A', title: 'A' },
          { const: 'B', title: 'Bee' },
        ],
      },
      question_0_custom: { type: 'string', title: 'Other' },
    },
  },
};

test('an ACP agent may ask only who answers, and takes the answer back in its own form', () => {
  const none = agent();
  none.open();
  assert.not.ok(obj(none.sent('initialize'), 'params', 'clientCapabilities', 'elicitation'));
  const to = agent({}, { questions: 'stdio' });
  to.open();
  assert.ok(obj(to.sent('initialize'), 'params', 'clientCapabilities', 'elicitation', 'form'));
  const { key, inquiry } = asked(to.ask(90, 'elicitation/create', { ...FORM, toolCallId: 'c1' }));
  assert.equal(inquiry, {
    source: 'agent',
    toolUseId: 'c1',
    questions: [
      {
        id: 'question_0',
        question: 'Which one?',
        choices: [{ value: 'A' }, { value: 'B', label: 'Bee' }],
        other: true,
      },
    ],
  });
  to.hear({ type: 'answers', key, answers: { question_0: 'none of them' } });
  assert.equal(to.replied(90)?.['result'], { action: 'accept', content: { question_0_custom: 'none of them' } });
  const declined = asked(to.ask(91, 'elicitation/create', FORM));
  to.hear({ type: 'answers', key: declined.key, answers: null });
  assert.equal(to.replied(91)?.['result'], { action: 'decline' });
  const gone = asked(to.ask(92, 'elicitation/create', FORM));
  const cancel = { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 92 } };
  assert.equal(to.hear({ type: 'line', text: JSON.stringify(cancel) }), [{ do: 'withdraw', key: gone.key }]);
  asked(to.ask(93, 'elicitation/create', FORM));
  to.hear({ type: 'stop', cause: 'cancelled' });
  assert.equal(to.replied(93)?.['result'], { action: 'cancel' });
});

test('every kind of field becomes a question, and what can’t be asked is left out or declined', () => {
  const form = (properties: JsonObject, required: string[] = []) =>
    elicited({ message: 'Fill in', requestedSchema: { type: 'object', properties, required } }, 'mcp');
  const all = form({
    ok: { type: 'boolean' },
    size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'm'] },
    tags: { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }] } },
    word: { type: 'string', format: 'password' },
    deep: { type: 'object' },
  });
  assert.is(all?.inquiry.title, 'Fill in');
  assert.equal(
    all?.inquiry.questions.map(({ id, choices, multi_select, secret }) => [id, choices?.length, multi_select, secret]),
    [
      ['ok', 2, undefined, undefined],
      ['size', 2, undefined, undefined],
      ['tags', 1, true, undefined],
      ['word', undefined, undefined, true],
    ],
  );
  assert.equal(all?.content({ ok: 'true', size: 's', tags: ['x'], word: null }), { ok: true, size: 's', tags: ['x'] });
  assert.is(form({ deep: { type: 'object' } }, ['deep']), null);
  assert.is(form({}), null);
  const page = elicited({ mode: 'url', message: 'Log in', url: 'https://example.com', elicitationId: 'x' }, 'mcp');
  assert.equal(page?.inquiry, { source: 'mcp', title: 'Log in', questions: [], url: 'https://example.com' });
});

test.run();
