/** Turns of Hermes Agent 0.19.0 over ACP, from recordings, and what its log tells. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import runner from '../../runners/hermes/index.js';
import { log } from '../../runners/hermes/log.js';
import { play } from './play.js';

test('an answer, its tokens and its session', async () => {
  const { of, exitCode } = await play(runner, 'text');
  assert.is(exitCode, 0);
  assert.is(
    of('assistant')
      .map((one) => one.text)
      .join(''),
    'Hello from the scripted model.',
  );
  assert.equal(
    of('usage').map((one) => [one.input_tokens, one.output_tokens, one.cached_tokens]),
    [[1200, 34, 200]],
  );
});

test("a caller's tool is a call and no native work", async () => {
  const { of } = await play(runner, 'tool');
  assert.is(of('tool_call').length, 1);
  assert.is(of('tool_activity').length, 0);
});

test('it asks before it writes a file, and runs a harmless command unasked', async () => {
  const written = (await play(runner, 'write-denied')).of('tool_activity')[1];
  assert.is(written?.phase === 'end' && written.denied, true);
  const [began, ran] = (await play(runner, 'shell')).of('tool_activity');
  assert.equal(began?.phase === 'start' && began.input, { command: 'touch made.txt' });
  assert.equal(ran?.phase === 'end' && [ran.ok, ran.exit_code], [true, 0]);
  assert.ok(runner.access.scoped?.gaps.includes('shell'));
});

test('a failed model call, which it tells as an answer, is told by its log', async () => {
  const refused = await play(runner, 'unauthorized');
  assert.equal([refused.of('error')[0]?.code, refused.of('assistant').length], ['auth', 0]);
  const limited = await play(runner, 'rate-limited');
  assert.equal([limited.of('error')[0]?.code, limited.of('status').length], ['rate-limited', 2]);
  assert.is((await play(runner, 'no-login')).of('error')[0]?.code, 'auth');
});

test('a session that is not there is told by an empty answer', async () => {
  assert.is((await play(runner, 'unknown-session')).of('error')[0]?.code, 'session-not-found');
});

test('its log, line by line', () => {
  const loop = '2026-11-30 13:16:24 [ERROR] agent.conversation_loop: ';
  const read = (line: string) => log().read(line, null);
  assert.equal(
    read(`${loop}API call failed after 3 retries. HTTP 500: The server had an error | provider=custom model=m`),
    [{ fact: 'hopeless', code: 'runner-error', message: 'The server had an error' }],
  );
  assert.equal(read(`${loop}API call failed after 3 retries. Connection error. | provider=custom`)[0], {
    fact: 'hopeless',
    code: 'runner-error',
    message: 'Connection error.',
  });
  assert.equal(read('ACP dependencies not installed.').length, 1);
  assert.equal(read('2026-11-30 13:16:24 [ERROR] something.else: API call failed after 3 retries. x'), []);
});

test.run();
