import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { settled, start } from '../../runs/fake-turn.js';
import { talk } from './talk.js';

const exec = { op: 'exec', runtime: 'test', prompt: 'hello', cwd: '/' };

test('a connection with too much to do asks for a pause, and everything is answered in order', async () => {
  const { one, lines } = talk();
  for (let i = 0; i < 3000; i++) one.accept('{"op":"ping"}');
  assert.ok(one.full);
  await one.room();
  assert.not.ok(one.full);
  await one.idle();
  const kinds = lines.map((line) => line['kind']);
  assert.equal(kinds.length, 6000);
  assert.is(
    kinds.findIndex((kind, index) => kind !== (index % 2 === 0 ? 'result' : 'done')),
    -1,
  );
});

test('a session that is continued in the same breath is the one before, and waits for it', async () => {
  const { send, turns } = talk();
  await send({ ...exec, id: 1 }, { ...exec, id: 2, session: 'last', prompt: 'and then?' });
  assert.is(turns.length, 1);
  turns[0]?.emit(start);
  turns[0]?.emit({ v: 1, type: 'session', session_id: 'native-1' });
  turns[0]?.end();
  while (turns.length < 2) await settled();
  assert.is(turns[1]?.plan.request.resume, 'native-1');
  turns[1]?.end();
});

test('what is nested too deep, or has an id as long as a page, is refused', async () => {
  const { send, lines } = talk();
  await send(
    `{"op":"exec","runtime":"test","prompt":"x","idempotency_key":"k","env":${'['.repeat(2000)}${']'.repeat(2000)}}`,
  );
  await send({ op: 'ping', id: 'x'.repeat(257) });
  const messages = lines.filter((line) => line['kind'] === 'error').map((line) => line['message']);
  assert.match(String(messages[0]), /nested deeper/);
  assert.match(String(messages[1]), /longer than 256/);
});

test.run();
