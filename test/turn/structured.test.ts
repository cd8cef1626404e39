import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { answerSchema } from '../../src/request/answer-schema.js';
import type { Action, Conversation, Heard, Outcome } from '../../src/runner/action.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { answering, structured } from '../../src/turn/structured.js';
import { machine, request } from '../runners/drive.js';
import { runner } from './stage.js';

const SCHEMA = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
const check = await answerSchema(SCHEMA);

/** A runtime that gives one scripted list of actions per process, at its first line. */
function scripted(rounds: readonly Action[][], changes: Parameters<typeof runner>[0] = {}) {
  const asked: TurnRequest[] = [];
  const heard: { round: number; heard: Heard }[] = [];
  const one = runner({
    converse(given): Conversation {
      const round = asked.push(given);
      return {
        hear(what) {
          heard.push({ round, heard: what });
          return what.type === 'line' ? (rounds[round - 1] ?? []) : [];
        },
      };
    },
    ...changes,
  });
  const conversation = structured(one, request({ outputSchema: SCHEMA }), machine(), check);
  return { conversation, asked, heard };
}

const session: Action = { do: 'say', event: { type: 'session', session_id: 's1' } };
const say = (text: string, id = 'm1'): Action => ({ do: 'say', event: { type: 'assistant', text, message_id: id } });
const end = (more: Partial<Extract<Outcome, { ok: true }>> = {}): Action => ({
  do: 'finish',
  outcome: { ok: true, stopReason: 'end_turn', ...more },
});
const line: Heard = { type: 'line', text: 'go' };
const exit: Heard = { type: 'exit', code: 0, signal: null, files: {} };
const outcomeOf = (actions: readonly Action[]) => actions.find((action) => action.do === 'finish')?.outcome;

test('a valid answer is parsed: the whole text, a code block, or JSON with words around it', () => {
  for (const text of ['{"a":1}', '```json\n{"a":1}\n```', 'Here it is:\n\n{"a":1}\n\nDone.']) {
    const { conversation } = scripted([[say(text), end()]]);
    assert.equal(outcomeOf(conversation.hear(line)), { ok: true, stopReason: 'end_turn', structured: { a: 1 } }, text);
  }
});

test('the runtime’s own structured value wins over the text', () => {
  const { conversation } = scripted([[say('Done.'), end({ structured: { a: 2 } })]]);
  assert.equal(outcomeOf(conversation.hear(line)), { ok: true, stopReason: 'end_turn', structured: { a: 2 } });
});

test('a wrong answer starts one more process of the same session, with what is wrong', () => {
  const { conversation, asked, heard } = scripted([
    [session, say('{"a":"x"}'), end()],
    [say('{"a":1}'), end()],
  ]);
  const first = conversation.hear(line);
  assert.equal(
    first.map((action) => action.do),
    ['say', 'say', 'between', 'end-stdin', 'spawn'],
  );
  assert.is(asked[1]?.resume, 's1');
  assert.match(asked[1]?.prompt ?? '', /\/a must be number/);
  // The first process goes; the second begins.
  assert.equal(conversation.hear(line), []);
  assert.equal(conversation.hear(exit), []);
  conversation.hear({ type: 'spawned' });
  const second = conversation.hear(line);
  assert.equal(outcomeOf(second), { ok: true, stopReason: 'end_turn', structured: { a: 1 } });
  assert.ok(
    heard.every(({ round, heard: what }) => round === 1 || what.type !== 'exit'),
    'the old exit is not its own',
  );
  const said = second.find((action) => action.do === 'say');
  assert.is(
    said?.do === 'say' && said.event.type === 'assistant' && said.event.message_id,
    'r2-m1',
    'a message of its own',
  );
});

test('two wrong answers are output-schema', () => {
  const { conversation } = scripted([
    [session, say('no'), end()],
    [say('{"b":1}'), end()],
  ]);
  conversation.hear(line);
  conversation.hear({ type: 'spawned' });
  const outcome = outcomeOf(conversation.hear(line));
  assert.ok(outcome && !outcome.ok && outcome.code === 'output-schema');
  assert.match(outcome.message, /must have required property 'a'/);
});

test('without a session the first prompt and the answer are said again', () => {
  const { conversation, asked } = scripted([[say('no'), end()], []], { resume: false });
  conversation.hear(line);
  assert.is(asked[1]?.resume, null);
  assert.match(asked[1]?.prompt ?? '', /^hello\n[\s\S]*\[Your answer so far\]\nno\n/);
});

test('an answer that was cut or refused is not repaired', () => {
  for (const stopReason of ['max_tokens', 'refusal', 'tool_round_cap'] as const) {
    const { conversation, asked } = scripted([[say('{"a":'), end({ stopReason })]]);
    const outcome = outcomeOf(conversation.hear(line));
    assert.ok(outcome && !outcome.ok && outcome.code === 'output-schema');
    assert.match(outcome.message, stopReason);
    assert.is(asked.length, 1);
  }
});

test('a failed turn stays what it is', () => {
  const failure: Outcome = { ok: false, code: 'auth', message: 'no key' };
  const { conversation } = scripted([[{ do: 'finish', outcome: failure }]]);
  assert.equal(outcomeOf(conversation.hear(line)), failure);
});

test('the words of a subagent are no answer', () => {
  const helper: Action = {
    do: 'say',
    event: { type: 'assistant', text: '{"a":1}', message_id: 'h', parent_tool_use_id: 't' },
  };
  const { conversation } = scripted([[say('not json'), helper, end()]]);
  assert.is(outcomeOf(conversation.hear(line)), undefined);
});

test('the prompt asks for JSON, unless the runner sees to that itself', async () => {
  const given = request({ outputSchema: SCHEMA });
  assert.match((await answering(runner(), given, machine())).request.prompt, /^hello\n\n[\s\S]*"required":\["a"\]/);
  assert.is((await answering(runner({ asksForSchema: true }), given, machine())).request.prompt, 'hello');
  const plain = request();
  assert.is((await answering(runner(), plain, machine())).request, plain);
});

test('a schema that does not compile is told', async () => {
  await answering(runner(), request({ outputSchema: { type: 'nonsense' } }), machine()).then(
    () => assert.unreachable(),
    (error: unknown) => assert.match(String(error), /type/),
  );
});

test.run();
