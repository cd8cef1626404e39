// limit: 120s
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BUSY_POLICIES } from '../../../src/serve/gateway/gateway.js';
import { at, str } from '../../../src/text/json.js';
import { says, start } from '../../runs/fake-turn.js';
import { room, session, turn } from './client.js';

const PROMPTS = 300;

for (const busy of BUSY_POLICIES)
  test(`with the policy ${busy}, a prompt at the moment of an end is a turn of its own`, async () => {
    const on = room();
    const one = on.join();
    const id = await session(one);
    await one.ask('config.set', { key: 'busy', value: busy });
    const submit = (number: number) => one.call('prompt.submit', { session_id: id, text: `prompt ${number}` });
    let answer = submit(1);
    for (let number = 1; number <= PROMPTS; number += 1) {
      assert.is(at(await answer, 'result', 'status'), 'streaming');
      await on.begun(number);
      const now = on.turns[number - 1];
      now?.emit(start);
      now?.emit(says('Yes'));
      now?.end();
      while (one.events('message.complete').length < number) await turn();
      if (number < PROMPTS) answer = submit(number + 1);
    }
    assert.equal(
      on.turns.map(({ plan }) => plan.request.prompt),
      Array.from({ length: PROMPTS }, (_, index) => `prompt ${index + 1}`),
    );
    const ends = one.events('message.complete').map((frame) => str(frame, 'params', 'payload', 'turn_id'));
    assert.is(new Set(ends).size, PROMPTS);
  });

test('prompts of two clients at once wait in one order that both see', async () => {
  const on = room();
  const [one, two] = [on.join(), on.join()];
  const id = await session(one);
  await two.ask('session.resume', { session_id: id });
  await Promise.all(
    [one, two].flatMap((each, who) =>
      [1, 2, 3, 4, 5].map((number) => each.ask('prompt.submit', { session_id: id, text: `${who}-${number}` })),
    ),
  );
  for (let count = 1; count <= 10; count += 1) {
    await on.begun(count);
    on.turns[count - 1]?.emit(start);
    on.turns[count - 1]?.emit(says('Yes'));
    on.turns[count - 1]?.end();
  }
  for (const each of [one, two]) while (each.events('message.complete').length < 10) await turn();
  const told = (each: typeof one) =>
    each.frames.flatMap(({ params }) => (at(params, 'seq') === undefined ? [] : [JSON.stringify(params)]));
  assert.equal(told(one), told(two));
  const prompts = on.turns.map(({ plan }) => plan.request.prompt);
  for (const who of ['0', '1'])
    assert.equal(
      prompts.filter((prompt) => prompt.startsWith(who)),
      [1, 2, 3, 4, 5].map((number) => `${who}-${number}`),
    );
});

test.run();
