import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Event } from '../../src/contract/event.js';
import type { AskedQuestion } from '../../src/contract/question.js';
import type { Action, Heard } from '../../src/runner/action.js';
import type { TapEntry } from '../../src/turn/world.js';
import { finish, settled, stage, text } from './stage.js';

const colour: AskedQuestion = {
  id: 'colour',
  question: 'Which colour?',
  choices: [{ value: 'red' }, { value: 'green' }],
};
const asks = (key: string, more: Partial<AskedQuestion> = {}, timeoutMs?: number): Action => ({
  do: 'inquire',
  key,
  inquiry: {
    source: 'agent',
    questions: [{ ...colour, ...more }],
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  },
});
const on = { request: { questions: 'stdio' }, runner: { asksQuestions: true } } as const;
const heard = (all: readonly Heard[]) => all.flatMap((one) => (one.type === 'answers' ? [[one.key, one.answers]] : []));
const outcomes = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'status' && event.question ? [event.question.outcome] : []));
const complaints = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'error' ? [event.message] : []));

test('a question is declined at once where the host answers none', async () => {
  const to = await stage();
  to.act(asks('a'));
  assert.equal(heard(to.heard), [['a', null]]);
  assert.not.ok(to.types().includes('question'));
});

test('a host that wants questions of a runtime without them is told', async () => {
  const to = await stage({ request: { questions: 'stdio' } });
  assert.ok(to.events.some((event) => event.type === 'status' && event.code === 'questions-ignored'));
});

test('an answer that does not fit is refused and the question stays open', async () => {
  const to = await stage(on);
  to.act(asks('a'));
  const answer = (answers: Record<string, string | string[] | null>) =>
    to.turn.frame({ type: 'question_result', id: 'q_1', answers });
  answer({ colour: 'pink' });
  answer({ size: 'L' });
  answer({ colour: ['red', 'green'] });
  assert.is(complaints(to.events).length, 3);
  assert.match(complaints(to.events)[0] ?? '', 'red, green');
  assert.equal(heard(to.heard), []);
  answer({ colour: 'green' });
  assert.equal(heard(to.heard), [['a', { colour: 'green' }]]);
  assert.equal(outcomes(to.events), ['answered']);
  answer({ colour: 'green' });
  assert.match(complaints(to.events)[3] ?? '', 'no such question is open');
});

test('several choices, other texts and required answers are taken as the question says', async () => {
  const to = await stage(on);
  to.act(asks('a', { multi_select: true }), asks('b', { other: true, required: true }));
  to.turn.frame({ type: 'question_result', id: 'q_1', answers: { colour: ['red', 'green'] } });
  to.turn.frame({ type: 'question_result', id: 'q_2', answers: { colour: 'mauve' } });
  assert.equal(heard(to.heard), [
    ['a', { colour: ['red', 'green'] }],
    ['b', { colour: 'mauve' }],
  ]);
  const { inquiry } = asks('c') as Extract<Action, { do: 'inquire' }>;
  const free = { id: 'name', question: 'Your name?' };
  const needed = { ...colour, required: true } as const;
  to.act({ do: 'inquire', key: 'c', inquiry: { ...inquiry, questions: [needed, free] } });
  to.turn.frame({ type: 'question_result', id: 'q_3', answers: { name: 'Ada' } });
  assert.match(complaints(to.events)[0] ?? '', 'colour needs an answer');
  to.turn.frame({ type: 'question_result', id: 'q_3', answers: {} });
  assert.equal(heard(to.heard).at(-1), ['c', null]);
});

test('a question has one end: its deadline, the agent itself, or the end of stdin', async () => {
  const to = await stage(on);
  to.act(asks('late', {}, 500), asks('gone'), asks('eof'));
  await to.tick(500);
  to.act({ do: 'withdraw', key: 'gone' });
  to.turn.stdinClosed();
  assert.equal(heard(to.heard), [
    ['late', null],
    ['eof', null],
  ]);
  assert.equal(outcomes(to.events), ['timed-out', 'withdrawn', 'declined']);
  to.act(asks('after'));
  assert.equal(heard(to.heard).at(-1), ['after', null]);
});

test('silence while a question is open is not the agent’s', async () => {
  const to = await stage({ ...on, limits: { idleMs: 1000 } });
  to.act(asks('a'));
  await to.tick(5000);
  assert.not.ok(to.types().includes('error'));
  to.turn.frame({ type: 'question_result', id: 'q_1', answers: { colour: 'red' } });
  await to.tick(2500);
  assert.ok(to.events.some((event) => event.type === 'error' && event.reason === 'idle'));
});

test('a cancel declines what is open before the agent is asked to stop', async () => {
  const to = await stage(on);
  to.act(asks('a'));
  to.turn.cancel();
  await settled();
  const order = to.heard.map((one) => one.type);
  assert.ok(order.indexOf('answers') < order.indexOf('stop'));
});

test('what can be no question is declined with a notice', async () => {
  const to = await stage(on);
  const inquiry = { source: 'mcp', questions: [] } as const;
  to.act({ do: 'inquire', key: 'empty', inquiry: { ...inquiry, questions: [] } });
  to.act({ do: 'inquire', key: 'twice', inquiry: { ...inquiry, questions: [colour, colour] } });
  to.act(asks('long', { question: 'x'.repeat(70_000) }));
  assert.is(heard(to.heard).filter(([, answers]) => answers === null).length, 3);
  assert.is(to.events.filter((event) => event.type === 'status').length, 3);
});

test('a page that is to be opened takes any answer', async () => {
  const to = await stage(on);
  to.act({ do: 'inquire', key: 'a', inquiry: { source: 'mcp', questions: [], url: 'https://example.com' } });
  to.turn.frame({ type: 'question_result', id: 'q_1', answers: { opened: 'yes' } });
  assert.equal(heard(to.heard), [['a', { opened: 'yes' }]]);
});

test('a secret answer reaches the agent and nothing that is recorded', async () => {
  const tapped: TapEntry[] = [];
  const to = await stage({
    ...on,
    tap: (entry) => tapped.push(entry),
    answer: (one) => (one.type === 'answers' ? [{ do: 'write', line: JSON.stringify(one.answers) }] : []),
  });
  const secret: AskedQuestion = { id: 'colour', question: 'Your word?', secret: true };
  to.act({ do: 'inquire', key: 'a', inquiry: { source: 'agent', questions: [secret] } });
  to.turn.frame({ type: 'question_result', id: 'q_1', answers: { colour: 'hunter"2' } });
  assert.ok(to.written.some((line) => line.includes('hunter\\"2')));
  assert.ok(tapped.some((entry) => entry.k === 'in'));
  assert.not.match(JSON.stringify(tapped), 'hunter');
  to.act(text('done'), finish);
  to.exit();
  assert.is(await to.turn.done, 0);
});

test.run();
