/** Turns of gptme 0.35.1, from recordings, and how it is started. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { failure, retryOf } from '../../runners/gptme/errors.js';
import runner from '../../runners/gptme/index.js';
import { readMessage } from '../../runners/gptme/messages.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { isRefusal } from '../../src/runner/runner.js';
import { hearAll, lines, machine, request } from './drive.js';
import { play } from './play.js';

const argv = (changes: Partial<TurnRequest> = {}) => {
  const answer = runner.invoke(request(changes), machine());
  return isRefusal(answer) ? `refused: ${answer.refuse}` : answer.argv.join(' ');
};

test('the answer is the end, although the program asks the model to go on', async () => {
  const { of, exitCode } = await play(runner, 'text');
  assert.is(exitCode, 0);
  assert.equal(
    of('assistant').map((one) => one.text),
    ['Hello from the scripted model.'],
  );
  assert.equal(
    of('usage').map((one) => [one.input_tokens, one.output_tokens, one.cached_tokens]),
    [[1200, 34, 200]],
  );
  assert.match(of('session')[0]?.session_id ?? '', /^turnout-/);
});

test('a call in the text is told as activity, with the code of a failed command', async () => {
  const { of } = await play(runner, 'shell');
  assert.is(of('assistant')[0]?.text, 'Running the tool.');
  const [start, end] = of('tool_activity');
  assert.equal(start?.phase === 'start' && [start.kind, start.input], ['shell', { command: 'ls /nonexistent' }]);
  assert.equal(end?.phase === 'end' && [end.ok, end.exit_code], [false, 2]);
});

test("a caller's tool takes a second process of the same conversation", async () => {
  const { of, exitCode } = await play(runner, 'tool');
  assert.is(exitCode, 0);
  assert.is(of('tool_call').length, 1);
  assert.is(of('session').length, 1);
  assert.is(of('result')[0]?.text, 'Tool said: FOUND {"word":"x"}');
});

test('retries are announced in its log, and its last error is the reason', async () => {
  const limited = await play(runner, 'rate-limited');
  assert.equal(
    limited.of('status').map((one) => [one.retry?.attempt, one.retry?.delay_ms, one.retry?.code]),
    [
      [1, 1000, 'rate-limited'],
      [2, 2000, 'rate-limited'],
    ],
  );
  assert.is(limited.of('error')[0]?.code, 'rate-limited');
  assert.is((await play(runner, 'unknown-session')).of('error')[0]?.code, 'session-not-found');
  assert.is((await play(runner, 'no-login')).of('error')[0]?.code, 'auth');
});

test('its errors are objects of Python, behind a status', () => {
  const of = (status: number, message: string) =>
    failure(
      [
        '· ERROR      Fatal error occurred',
        `· ERROR      Error code: ${status} - {'error': {'message': ${message}}}  `,
      ],
      1,
    );
  assert.equal(of(401, "'Incorrect API key provided: x.', 'type': 'a'"), {
    code: 'auth',
    message: 'Incorrect API key provided: x.',
  });
  assert.is(of(404, "'The model `m` does not exist'")?.code, 'model-unavailable');
  assert.is(of(429, "'You exceeded your current quota, please'")?.code, 'quota');
  assert.is(of(500, '"It\'s broken"')?.message, "It's broken");
  assert.is(failure(['· WARNING  nothing'], 76)?.code, 'auth');
  assert.is(failure([], 1), null);
  assert.is(retryOf('· WARNING  Failed to load tiktoken encoding'), null);
});

test('what only looks like a call stays text', () => {
  const content = 'Look:\n@shell(c1): {"command":"a\\nb"}\n@read(c2): {"path":"x"}';
  assert.equal(readMessage(content), {
    text: 'Look:',
    calls: [
      { id: 'c1', name: 'shell', args: { command: 'a\nb' } },
      { id: 'c2', name: 'read', args: { path: 'x' } },
    ],
  });
  for (const text of ['mail @me(now): {not json', 'a\n\nb\n', '@shell: {}']) {
    assert.equal(readMessage(text), { text, calls: [] });
  }
});

test('words of the program in place of an answer are none', () => {
  const message = {
    type: 'message',
    role: 'assistant',
    content: 'Unknown command. Use /help to see available commands.',
  };
  const end = hearAll(runner.converse(request(), machine()), lines(message)).at(-1);
  assert.is(end?.do === 'finish' && !end.outcome.ok && end.outcome.code, 'runner-error');
});

test('at the default mode there is one tool, and nothing is read that a prompt mentions', () => {
  assert.match(argv(), / --no-workspace --tools read hello$|Message:/);
  assert.not.match(argv({ access: 'full' }), /--tools read/);
  const answer = runner.invoke(request(), machine());
  assert.is(!isRefusal(answer) && answer.env['GPTME_DISABLE_PATH_INCLUDE'], '1');
});

test('a prompt is never a command', () => {
  assert.match(argv({ prompt: '/shell touch x' }), /Message:\n\/shell touch x$/);
  assert.match(argv({ prompt: 'chats' }), /Message:\nchats$/);
  assert.match(argv({ prompt: 'look here' }), / look here$/);
});

test.run();
