/** Turns of Mistral Vibe 3.0.3 over ACP, from recordings. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import runner from '../../runners/vibe.js';
import { play } from './play.js';

test('an answer in pieces, with its tokens', async () => {
  const { of, exitCode } = await play(runner, 'text');
  assert.is(exitCode, 0);
  assert.ok(of('assistant').length > 1);
  assert.is(of('result')[0]?.text, 'Hello from the scripted model.');
  assert.equal(
    of('usage').map((one) => [one.input_tokens, one.output_tokens, one.cached_tokens]),
    [[1200, 34, 200]],
  );
});

test('it asks for a mode in which it does not write unasked', async () => {
  const { sent } = await play(runner, 'text');
  const chosen = sent.find((message) => message['method'] === 'session/set_config_option');
  assert.equal(chosen?.['params'] && JSON.stringify(chosen['params']).includes('"value":"ask"'), true);
});

test("a caller's tool takes a second process, which counts on from where the session was", async () => {
  const { of, exitCode } = await play(runner, 'tool');
  assert.is(exitCode, 0);
  assert.is(of('tool_call').length, 1);
  assert.equal(of('done')[0]?.totals?.input_tokens, 2400);
});

test('a command has its name, its input and what it printed', async () => {
  const [start, end] = (await play(runner, 'shell')).of('tool_activity');
  assert.equal(start?.phase === 'start' && [start.name, start.kind, start.input], [
    'bash',
    'shell',
    { command: 'echo lab-output; echo made > made.txt' },
  ]);
  assert.is(end?.phase === 'end' && end.output, 'lab-output\n');
});

test('a command that writes is denied at the default mode', async () => {
  const end = (await play(runner, 'shell-denied')).of('tool_activity')[1];
  assert.is(end?.phase === 'end' && end.denied, true);
});

test('a refused key', async () => {
  assert.is((await play(runner, 'unauthorized')).of('error')[0]?.code, 'auth');
});

test.run();
