import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { says, settled, start } from '../../runs/fake-turn.js';
import { talk } from './talk.js';

const exec = { op: 'exec', runtime: 'test', prompt: 'hello', cwd: '/' };

test('an answer is a result and a done; exec streams its events unchanged', async () => {
  const { send, turns, raw, lines, take } = talk();
  await send({ op: 'ping' });
  assert.equal(raw, ['{"kind":"result","op":"ping","ok":true}\n', '{"kind":"done","exit_code":0}\n']);
  take();
  await send(exec);
  turns[0]?.emit(start);
  turns[0]?.emit(says('line\u2028end'));
  turns[0]?.end(0);
  await settled();
  await settled();
  assert.is(
    raw[4],
    '{"kind":"event","event":{"v":1,"type":"assistant","text":"line\\u2028end","message_id":"m1"},"seq":2}\n',
  );
  const result = lines.at(-2);
  assert.equal(
    [result?.['op'], result?.['ok'], result?.['status'], result?.['text']],
    ['exec', true, 'completed', 'line\u2028end'],
  );
  assert.equal(take(), ['progress', 'event', 'event', 'event', 'result', 'done']);
});

test('without an id requests wait for each other', async () => {
  const { send, turns, take } = talk();
  await send(exec, { op: 'ping' });
  assert.equal(take(), ['progress']);
  turns[0]?.end();
  await send();
  assert.equal(take(), ['event', 'result', 'done', 'result', 'done']);
});

test('with an id they run side by side, and every line has it behind kind', async () => {
  const { send, turns, raw } = talk();
  await send({ ...exec, id: 'a' }, { op: 'ping', id: 7 });
  assert.match(raw.at(-1) ?? '', /^\{"kind":"progress","id":"a",/);
  assert.equal(raw.slice(0, -1), [
    '{"kind":"result","id":7,"op":"ping","ok":true}\n',
    '{"kind":"done","id":7,"exit_code":0}\n',
  ]);
  turns[0]?.end();
});

test('an op that names a run overtakes, and its lines say whose they are', async () => {
  const { send, turns, lines, take, raw } = talk();
  await send(exec);
  const run_id = lines[0]?.['run_id'] ?? '';
  take();
  await send({ op: 'cancel', run_id });
  assert.equal(turns[0]?.calls, ['cancel']);
  assert.is(raw.at(-1), '{"kind":"done","op":"cancel","exit_code":0}\n');
  turns[0]?.end(130);
  await send();
  assert.is(lines.at(-1)?.['exit_code'], 130);
});

test('a run is found by the id of the request that began it', async () => {
  const { send, turns, lines } = talk();
  await send({ ...exec, id: 1 });
  await send({ op: 'cancel', id: 2, target: 1 }, { op: 'cancel', id: 3, target: 9 });
  assert.equal(turns[0]?.calls, ['cancel']);
  assert.equal(
    lines.filter((line) => line['id'] === 3).map((line) => line['kind']),
    ['error', 'done'],
  );
});

test('what is no request is an error, and the loop goes on', async () => {
  const { send, lines } = talk();
  await send('{"op":', '[1]', '{"op":7}', { op: 'nope' }, { op: 'exec' }, { op: 'exec', prompt: 7, runtime: 'test' });
  await send({ op: 'exec', prompt: 'x', runtime: 'test', detach: 'yes' }, { op: 'ping', id: {} }, { op: 'ping' });
  const messages = lines.filter((line) => line['kind'] === 'error').map((line) => String(line['message']));
  assert.match(messages[0] ?? '', /^malformed JSON: /);
  assert.equal(messages.slice(1), [
    'a request is a JSON object',
    'op: expected a string',
    'unknown op: nope',
    'runtime: expected the id of a runtime that a scan lists, or auto',
    'prompt: expected a string, not 7',
    'detach: expected true or false',
    'id: expected a string or a number',
  ]);
  const codes = lines.filter((line) => line['kind'] === 'done').map((line) => line['exit_code']);
  assert.equal(codes, [2, 2, 2, 2, 2, 2, 2, 2, 0]);
});

test('text files are put behind the prompt; one that is not there is an error', async () => {
  const { send, turns, lines } = talk();
  await send(
    { ...exec, files: [`${process.env['TURNOUT_ROOT'] ?? '.'}/LICENSE`] },
    { ...exec, id: 1, files: ['/no/such'] },
  );
  assert.match(turns[0]?.plan.request.prompt ?? '', /^hello[\s\S]*MIT License/);
  assert.is(lines.filter((line) => line['id'] === 1).at(-1)?.['exit_code'], 2);
  turns[0]?.end();
});

test('unknown keys are ignored and null is "not given"', async () => {
  const { send, turns } = talk();
  await send({ ...exec, model: null, wonder: { deep: true } });
  assert.is(turns.length, 1);
});

test('the connection remembers runtime, folder, run and session', async () => {
  const { send, turns, lines } = talk();
  await send(exec);
  turns[0]?.emit({ v: 1, type: 'session', session_id: 'native-1' });
  turns[0]?.end();
  await send({ op: 'exec', prompt: 'more', session: 'last' });
  turns[1]?.end();
  await send();
  assert.equal(turns[1]?.plan.request.resume, 'native-1');
  assert.is(turns[1]?.plan.request.cwd, '/');
  const results = lines.filter((line) => line['kind'] === 'result');
  assert.is(results[0]?.['session_id'], results[1]?.['session_id']);
  await send({ op: 'session' });
  const messages = lines.at(-2)?.['messages'];
  assert.is(Array.isArray(messages) ? messages.length : 0, 2);
});

test('a fork begins with what was said, in a session of its own', async () => {
  const { send, turns, lines } = talk();
  await send(exec);
  turns[0]?.emit({ v: 1, type: 'session', session_id: 'native-1' });
  turns[0]?.emit(says('the answer is 42'));
  turns[0]?.end();
  await send({ op: 'exec', prompt: 'and now', session: 'last', fork: true });
  assert.is(turns[1]?.plan.request.resume, null);
  assert.match(turns[1]?.plan.request.system ?? '', /<user>\nhello\n<\/user>\n<assistant>\nthe answer is 42/);
  turns[1]?.end();
  await send({ op: 'session' });
  const session = lines.at(-2)?.['session'];
  assert.ok(typeof session === 'object' && session !== null && 'parent' in session && session['parent'] !== null);
});

test('halt ends the connection: what came before is answered, what comes after is not', async () => {
  const { send, turns, take, one } = talk();
  await send(exec, { op: 'halt' }, { op: 'ping' });
  assert.equal(take(), ['progress']);
  turns[0]?.end();
  await one.halted;
  await send({ op: 'ping' });
  assert.equal(take(), ['event', 'result', 'done', 'result', 'done']);
});

test('after halt only what still runs is answered', async () => {
  const { send, turns, lines, one } = talk();
  await send({ ...exec, id: 1, tools: ['add'] }, { op: 'halt' });
  turns[0]?.emit({ v: 1, type: 'tool_call', id: 'tc_1', name: 'add', args: {} });
  await send({ op: 'tool_result', id: 2, target: 1, call_id: 'tc_1', result: '3' }, { op: 'ping', id: 3 });
  assert.is(turns[0]?.frames[0]?.type, 'tool_result');
  turns[0]?.end();
  await one.halted;
  assert.equal(
    lines.filter((line) => line['id'] === 3),
    [],
  );
});

test('a forced halt cancels what runs', async () => {
  const { send, turns, take } = talk();
  await send(exec);
  await send({ op: 'halt', force: true });
  assert.equal(turns[0]?.calls, ['cancel']);
  turns[0]?.end(130);
  await send();
  assert.equal(take(), ['progress', 'event', 'result', 'done', 'result', 'done']);
});

test('a forced halt in the same breath ends what has not begun', async () => {
  const { send, turns, take, one } = talk();
  await send(exec, { op: 'halt', force: true });
  await one.halted;
  assert.is(turns.length, 0);
  assert.equal(take(), ['progress', 'event', 'event', 'event', 'result', 'done', 'result', 'done']);
});

test('at the end of the input runs are finished, but nobody will answer their questions', async () => {
  const { send, turns, one, take } = talk();
  await send(exec, { op: 'ping' });
  const ended = one.end();
  assert.equal(turns[0]?.calls, ['stdin closed']);
  turns[0]?.end();
  await ended;
  assert.equal(take(), ['progress', 'event', 'result', 'done', 'result', 'done']);
});

test('a caller that leaves takes its run along, but not a detached one, and starts nothing more', async () => {
  const { send, turns, one, core } = talk();
  await send({ ...exec, id: 1 }, { ...exec, id: 2, detach: true }, exec, exec);
  while (turns.length < 3) await settled();
  one.gone();
  await settled();
  assert.equal(
    turns.map((turn) => turn.calls),
    [['cancel'], [], ['cancel']],
  );
  for (const turn of turns) turn.end(130);
  await core.drain();
  assert.is(turns.length, 3);
});

test('caller tools and questions are answered on the connection that runs', async () => {
  const { send, turns, lines } = talk();
  await send({ ...exec, tools: ['add'], approvals: 'ask', id: 1 });
  const run_id = lines[0]?.['run_id'] ?? '';
  turns[0]?.emit({ v: 1, type: 'tool_call', id: 'tc_1', name: 'add', args: {} });
  turns[0]?.emit({
    v: 1,
    type: 'permission_request',
    id: 'pr_1',
    name: 'shell',
    kind: 'shell',
    input: null,
    choices: ['allow_once', 'deny'],
  });
  await send({ op: 'tool_result', run_id, call_id: 'tc_1', result: { text: '3' } });
  await send({ op: 'approve', run_id, choice: 'deny', message: 'no' });
  assert.equal(turns[0]?.frames, [
    { type: 'tool_result', id: 'tc_1', ok: true, result: { text: '3' } },
    { type: 'permission_result', id: 'pr_1', choice: 'deny', message: 'no' },
  ]);
  assert.ok(turns[0]?.plan.request.toolsOn);
  await send({ op: 'approve', run_id, choice: 'deny' });
  assert.is(lines.at(-2)?.['code'], 'not-pending');
  turns[0]?.end();
});

test('undelivered guidance comes back with the result', async () => {
  const { send, turns, lines } = talk();
  await send({ ...exec, id: 1 }, { op: 'steer', id: 2, text: 'be brief' });
  turns[0]?.end();
  await send();
  const result = lines.find((line) => line['kind'] === 'result' && line['op'] === 'exec');
  assert.is(result?.['pending_steer'], 'be brief');
});

test('events go on from a cursor, followed to the end', async () => {
  const { send, turns, lines, take } = talk();
  await send({ ...exec, detach: true });
  turns[0]?.emit(start);
  turns[0]?.emit(says('one'));
  await send({ op: 'events', since: 1 });
  assert.equal(take(), ['result', 'done', 'event', 'result', 'done']);
  await send({ op: 'events', since: 2, follow: true });
  turns[0]?.emit(says('two'));
  turns[0]?.end();
  await send();
  assert.equal(
    lines.filter((line) => line['kind'] === 'event').map((line) => line['seq']),
    [3, 4],
  );
  assert.is(lines.at(-2)?.['next'], 4);
});

test('the same key is the same run', async () => {
  const { send, turns, lines } = talk();
  await send({ ...exec, idempotency_key: 'k' });
  turns[0]?.emit(start);
  turns[0]?.end();
  await send({ ...exec, idempotency_key: 'k', id: 9 }, { ...exec, prompt: 'other', idempotency_key: 'k' });
  const again = lines.filter((line) => line['id'] === 9).map((line) => line['kind']);
  assert.equal(again, ['progress', 'event', 'event', 'result', 'done']);
  assert.is(turns.length, 1);
  assert.is(lines.at(-2)?.['code'], 'conflict');
});

test('a reader that stalls holds the runtime back, and nothing is lost', async () => {
  let release: () => void = () => {};
  const stalled = new Promise<void>((resolve) => (release = resolve));
  const seen: string[] = [];
  const { send, turns } = talk({
    out: {
      closed: false,
      ready: () => stalled,
      write: (line) => void (line.startsWith('{"kind":"event"') && seen.push(line)),
    },
  });
  await send(exec);
  for (let i = 0; i < 20_000; i++) turns[0]?.emit(says('x'.repeat(300)));
  await settled();
  assert.equal(turns[0]?.calls, ['pause']);
  release();
  turns[0]?.end();
  while (seen.length < 20_001) await settled();
  assert.equal(turns[0]?.calls, ['pause', 'resume']);
  assert.is(seen.filter((line, index) => !line.endsWith(`"seq":${index + 1}}\n`)).length, 0);
});

test.run();
