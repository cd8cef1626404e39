// limit: 240s
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { isType, leftovers, place, run } from '../../contract/cli.js';
import { eventsOf, lines } from '../server.js';

/** Sends the lines, closes stdin, and gives what came. */
async function serve(input: readonly (JsonObject | string)[], args: readonly string[] = [], where = place()) {
  const running = run(['agent', 'serve', ...args], { place: where });
  for (const one of input) running.send(one);
  running.closeStdin();
  const ended = await running.ended;
  return { ...ended, answer: lines(ended.lines.join('\n')) };
}
const codes = (answer: readonly JsonObject[]) =>
  answer.filter((line) => line['kind'] === 'done').map((line) => line['exit_code']);
const hello = { op: 'exec', runtime: 'demo', prompt: 'hello' };

test('scan, exec and halt, one after another', async () => {
  const { code, answer, stderr } = await serve([{ op: 'scan' }, hello, { op: 'halt' }, { op: 'ping' }]);
  assert.is(code, 0, stderr);
  assert.equal(codes(answer), [0, 0, 0]);
  const types = eventsOf(answer).map((event) => event['type']);
  assert.equal([types[0], types.at(-1)], ['start', 'done']);
  assert.equal(answer.at(-2), { kind: 'result', op: 'halt', ok: true });
});

test('the worst code is the exit code, 2 at most, and an exec keeps its own in done', async () => {
  const { code, answer } = await serve([
    { ...hello, runtime: 'nobody' },
    { ...hello, prompt: 'crash 3' },
  ]);
  assert.equal([code, codes(answer)], [2, [2, 1]]);
  assert.is((await serve([{ ...hello, prompt: 'hang', timeout: '300ms' }])).code, 1);
});

test('a single shot may be spread over lines and exits with its code', async () => {
  const once = await serve(['{\n"op":"exec",', '"runtime":"demo","prompt":"hang","timeout":0.3}'], ['--single-shot']);
  assert.is(once.code, 124);
  const extra = await serve(['{"op":"ping"} {"op":"scan"}'], ['--single-shot']);
  assert.equal(
    extra.answer.map((line) => line['kind']),
    ['result', 'error', 'done'],
  );
  assert.is(extra.code, 0);
  const bad = await serve(['{'], ['--single-shot']);
  assert.equal([bad.code, bad.answer.map((line) => line['kind'])], [2, ['error', 'done']]);
});

test('tools are answered, guidance is given and a run is cancelled while it runs', async () => {
  const running = run(['agent', 'serve', '--store', 'memory'], {
    onEvent(line) {
      const [event] = eventsOf([line]);
      if (event?.['type'] === 'tool_call')
        running.send({ op: 'tool_result', id: 'a', target: 1, call_id: String(event['id']), result: 'five' });
      if (event?.['type'] === 'permission_request')
        running.send({ op: 'approve', id: 'b', target: 1, choice: 'allow_once' });
      if (event?.['text'] === 'hanging') running.send({ op: 'steer', id: 'c', target: 2, text: 'faster' });
      if (line['id'] === 'c' && line['kind'] === 'done') running.send({ op: 'cancel', id: 'd', target: 2 });
      if (line['kind'] === 'done' && line['id'] === 2) running.send({ op: 'halt', id: 3 });
    },
  });
  running.send({ ...hello, id: 1, prompt: 'tool add {"a":2} then ask', tools: ['add'], approvals: 'ask' });
  running.send({ ...hello, id: 2, prompt: 'say hanging then hang' });
  const { code, lines: raw } = await running.ended;
  const answer = lines(raw.join('\n'));
  assert.is(code, 1);
  const result = (id: number) => answer.find((line) => line['id'] === id && line['kind'] === 'result');
  assert.match(String(result(1)?.['text']), 'allow_once');
  assert.ok(eventsOf(answer).some((event) => event['type'] === 'assistant' && String(event['text']).includes('five')));
  assert.equal([result(2)?.['status'], result(2)?.['exit_code']], ['cancelled', 130]);
  assert.equal(await leftovers(running.place.mark), []);
});

test('a trace of demo turns is the same to the byte when it is played again', async () => {
  const where = place();
  const trace = join(where.cwd, 's.ndjson');
  const prompts = ['think then shell ls then plan', 'subagent', 'retry 2', 'crash 3', 'unicode'];
  const requests: JsonObject[] = prompts.map((prompt) => ({ ...hello, prompt }));
  requests.push(
    { op: 'exec', prompt: 'remember', session: 'last' },
    { op: 'runs' },
    { op: 'session' },
    { op: 'explain', code: 'auth' },
  );
  const live = await serve(requests, ['--record', trace], where);
  assert.is(codes(live.answer).length, requests.length);
  const again = run(['agent', 'serve', '--replay', trace], { place: where, stdin: 'closed' });
  const { code, stderr, lines: out } = await again.ended;
  assert.is(code, 0, stderr);
  assert.equal(out, []);
});

test('one server holds the store; a second one says who and exits 2', async () => {
  const where = place();
  const first = run(['agent', 'serve'], { place: where });
  first.send({ op: 'ping' });
  await first.event((line) => line['kind'] === 'done');
  const second = await serve([{ op: 'ping' }], [], where);
  assert.equal([second.code, second.lines], [2, []]);
  assert.match(second.stderr, new RegExp(`held by process ${first.child.pid} on .* \\(stdio`));
  first.closeStdin();
  assert.is((await first.ended).code, 0);
  assert.is((await serve([{ op: 'ping' }], [], where)).code, 0);
});

test('a server that is killed in the middle leaves runs that read as interrupted', async () => {
  const where = place();
  const first = run(['agent', 'serve', '--concurrency', '2'], { place: where });
  for (const prompt of ['hang', 'slow 1000', 'waits']) first.send({ ...hello, prompt, id: prompt });
  await first.event((line) => eventsOf([line]).some(isType('assistant')) && line['id'] === 'slow 1000');
  first.child.kill('SIGKILL');
  await first.ended;
  assert.equal(await leftovers(where.mark), []);
  const { answer, stderr } = await serve([{ op: 'runs' }, { op: 'events' }], [], where);
  assert.match(stderr, '3 runs of an earlier server were interrupted');
  const runs = answer[0]?.['runs'];
  const statuses = (Array.isArray(runs) ? runs : []).map((one) =>
    typeof one === 'object' && one !== null && 'status' in one ? one['status'] : null,
  );
  assert.equal(statuses, ['interrupted', 'interrupted', 'interrupted']);
});

test('a signal ends what runs and still answers', async () => {
  const running = run(['agent', 'serve', '--store', 'memory']);
  running.send({ ...hello, prompt: 'hang' });
  await running.event((line) => eventsOf([line]).some(isType('assistant')));
  running.child.kill('SIGTERM');
  running.watch();
  const { late, lines: raw } = await running.ended;
  assert.not.ok(late);
  const answer = lines(raw.join('\n'));
  assert.is(answer.at(-2)?.['status'], 'interrupted');
  assert.equal(await leftovers(running.place.mark), []);
});

test('a reader that leaves ends the server and what it waited for', async () => {
  const running = run(['agent', 'serve', '--store', 'memory'], { read: false });
  running.send({ ...hello, prompt: 'long then hang' });
  await new Promise((resolve) => running.child.stdout?.once('data', resolve));
  running.child.stdout?.destroy();
  running.watch();
  const { code, late } = await running.ended;
  assert.equal([code, late], [2, false]);
  assert.equal(await leftovers(running.place.mark), []);
});

test('a file that can not be recorded to, or a store that is no store, is said at once', async () => {
  const where = place();
  const dir = await serve([{ op: 'ping' }], ['--record', where.cwd], where);
  assert.equal([dir.code, dir.answer.map((line) => line['kind'])], [2, ['error', 'done']]);
  writeFileSync(join(where.cwd, 'text'), 'no database, but long enough to be looked at\n'.repeat(100));
  const store = await serve([{ op: 'ping' }], ['--store', join(where.cwd, 'text')], where);
  assert.is(store.code, 2);
  assert.match(store.stderr, '--store');
});

test.run();
