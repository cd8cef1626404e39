import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { QuestionEvent } from '../../../src/contract/question.js';
import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import { at } from '../../../src/text/json.js';
import { start } from '../../runs/fake-turn.js';
import { type Client, codeOf, isEvent, isRequest, type Room, room, session, turn } from './client.js';

const test = suite('what an agent asks a person, over the gateway');
let on: Room;
let one: Client;
let id: string;
test.before.each(async () => {
  on = room();
  one = on.join();
  id = await session(one);
});

const COLOUR = {
  id: 'colour',
  question: 'Which colour?',
  choices: [
    { value: 'r', label: 'red' },
    { value: 'g', label: 'green' },
  ],
};
const NAME = { id: 'name', question: 'Whose name?' };
const question = (...questions: QuestionEvent['questions']): QuestionEvent => ({
  v: 1,
  type: 'question',
  id: 'q_1',
  source: 'agent',
  questions,
});
/** The answers that the agent was given. */
const given = () => (on.turns[0]?.frames ?? []).flatMap((frame) => ('answers' in frame ? [frame.answers] : []));

async function asked(event = question(COLOUR, NAME)): Promise<JsonObject> {
  await one.ask('prompt.submit', { session_id: id, text: 'ask me' });
  await on.begun(1);
  on.turns[0]?.emit(start);
  on.turns[0]?.emit(event);
  return one.until(isRequest);
}
const quiet = async () => {
  for (let i = 0; i < 20; i += 1) await turn();
};

test('a request holds all parts, and an answer by label stands for its value', async () => {
  const request = await asked();
  assert.is(request['method'], 'clarify');
  assert.equal(at(request, 'params', 'questions'), [
    { qid: 'colour', question: 'Which colour?', choices: ['red', 'green'], multi_select: false },
    { qid: 'name', question: 'Whose name?', multi_select: false },
  ]);
  one.answer(request['id'] ?? null, { answers: { colour: 'green', name: null } });
  await quiet();
  assert.equal(given(), [{ colour: 'g', name: null }]);
});

test('an answer that was not offered is refused, and the question stays open', async () => {
  const request = await asked();
  const wrong: Json[] = [{ colour: 'purple' }, { colour: 5 }, { other: 'x' }, 'red', ['red']];
  for (const answers of wrong) {
    assert.is(codeOf(await one.call('request.answer', { id: request['id'] ?? null, result: { answers } })), 4000);
  }
  assert.equal(given(), []);
  one.answer(request['id'] ?? null, {});
  await quiet();
  assert.equal(given(), [{}]);
});

test('parts can be locked one by one and changed until the last', async () => {
  const request = await asked();
  const request_id = at(request, 'params', 'request_id') ?? null;
  const lock = (question_id: string, answer: string | null) =>
    one.call('clarify.lock', { request_id, question_id, answer });
  assert.equal((await lock('colour', 'red'))['result'], { status: 'ok', remaining: ['name'] });
  assert.is(codeOf(await lock('none', 'x')), 4002);
  assert.is(codeOf(await lock('colour', 'purple')), 4000);
  const snapshot = await on.join().ask('session.resume', { session_id: id });
  assert.equal(at(snapshot, 'open_requests', 0, 'params', 'answers'), { colour: 'red' });
  assert.equal((await lock('colour', 'green'))['result'], { status: 'ok', remaining: ['name'] });
  assert.equal(given(), []);
  assert.equal((await lock('name', 'Ada'))['result'], { status: 'ok', remaining: [] });
  assert.equal(given(), [{ colour: 'g', name: 'Ada' }]);
  on.turns[0]?.emit({
    v: 1,
    type: 'status',
    phase: 'notice',
    code: 'question-settled',
    question: { id: 'q_1', outcome: 'answered' },
  });
  assert.equal((await lock('name', 'Bob'))['result'], { status: 'expired' });
});

test('a client that knows one question at a time is asked the parts in turn', async () => {
  await asked();
  const first = await one.until(isEvent('clarify.request'));
  assert.equal(at(first, 'params', 'payload', 'choices'), ['red', 'green']);
  const respond = (answer: string) =>
    one.call('clarify.respond', { request_id: at(first, 'params', 'payload', 'request_id') ?? null, answer });
  assert.equal((await respond('red'))['result'], { status: 'ok' });
  const second = await one.until((frame) => at(frame, 'params', 'payload', 'question') === 'Whose name?');
  assert.is(at(second, 'params', 'payload', 'choices'), null);
  assert.equal((await respond('Ada'))['result'], { status: 'ok' });
  assert.equal(given(), [{ colour: 'r', name: 'Ada' }]);
  on.turns[0]?.emit({
    v: 1,
    type: 'status',
    phase: 'notice',
    code: 'question-settled',
    question: { id: 'q_1', outcome: 'answered' },
  });
  assert.is(codeOf(await respond('late')), 4009);
});

test('a question that ran out of time is withdrawn from those who show it', async () => {
  const request = await asked();
  on.turns[0]?.emit({
    v: 1,
    type: 'status',
    phase: 'notice',
    code: 'question-settled',
    question: { id: 'q_1', outcome: 'timed-out' },
  });
  const cancel = await one.until(isEvent('request.cancel'));
  assert.equal(at(cancel, 'params', 'payload'), { id: request['id'], method: 'clarify', reason: 'resolved' });
});

test('a page that is to be opened is one question', async () => {
  const request = await asked({ ...question(), url: 'https://example.org/login', title: 'Log in' });
  assert.is(at(request, 'params', 'questions', 0, 'question'), 'Log in: https://example.org/login');
  one.answer(request['id'] ?? null, { answers: { page: 'opened' } });
  await quiet();
  assert.equal(given(), [{ page: 'opened' }]);
});

test.run();
