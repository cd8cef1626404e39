/** Turns of both generations of Kimi over ACP, from recordings: Kimi Code 2.1.0 and kimi-cli 1.51.0. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import runner from '../../runners/kimi.js';
import { isRefusal } from '../../src/runner/runner.js';
import { machine, request } from './drive.js';
import { play } from './play.js';

const answer = async (name: string) => {
  const { of, exitCode } = await play(runner, name);
  const text = of('assistant').map((one) => one.text);
  return { text: text.join(''), pieces: text.length, exitCode };
};

test('both generations answer over the same protocol, piece by piece', async () => {
  for (const name of ['text', 'older-text']) {
    const { text, pieces, exitCode } = await answer(name);
    assert.is(exitCode, 0, name);
    assert.is(text, 'Hello from the scripted model.', name);
    assert.ok(pieces > 1, name);
  }
});

test("a caller's tool is a call and no native work", async () => {
  const { of } = await play(runner, 'tool');
  assert.equal(
    of('tool_call').map((one) => one.name),
    ['look_up'],
  );
  assert.is(of('tool_activity').length, 0);
});

test('a command is known before it is asked for: one that writes is denied, one that reads runs', async () => {
  const denied = (await play(runner, 'shell-denied')).of('tool_activity');
  assert.equal(denied[0]?.phase === 'start' && denied[0].input, { command: 'touch made.txt' });
  assert.is(denied[1]?.phase === 'end' && denied[1].denied, true);
  const read = (await play(runner, 'shell-reads')).of('tool_activity');
  assert.is(read[1]?.phase === 'end' && read[1].ok, true);
});

test('a failed command has its exit code', async () => {
  const end = (await play(runner, 'shell-fails')).of('tool_activity')[1];
  assert.equal(end?.phase === 'end' && [end.ok, end.exit_code], [false, 3]);
});

test('a refused key, no login, and a session that is not there', async () => {
  assert.is((await play(runner, 'unauthorized')).of('error')[0]?.code, 'auth');
  assert.is((await play(runner, 'no-login')).of('error')[0]?.hint, 'kimi login');
  assert.is((await play(runner, 'unknown-session')).of('error')[0]?.code, 'session-not-found');
});

test('tries that all failed end in silence, and that is no answer', async () => {
  const { of, exitCode } = await play(runner, 'rate-limited');
  assert.equal([of('error')[0]?.code, of('result').length, exitCode], ['runner-error', 0, 1]);
});

test('the last version of the older package is refused, with what to install', () => {
  const invoked = (variant: string | null, version: string) =>
    runner.invoke(request(), machine({ program: { ...machine().program, variant, version } }));
  const gone = invoked('kimi-cli', '1.52.0');
  assert.is(isRefusal(gone) && gone.hint, 'npm install -g @moonshot-ai/kimi-code');
  assert.not.ok(isRefusal(invoked('kimi-cli', '1.51.0')));
  assert.not.ok(isRefusal(invoked('@moonshot-ai/kimi-code', '2.1.0')));
  assert.not.ok(isRefusal(invoked(null, '1.52.0')));
});

test('the older package, which calls tools by bare names, gets those of the caller through the prompt', () => {
  const of = (variant: string) => machine({ program: { ...machine().program, variant, version: '1.51.0' } });
  const asked = request({ toolsOn: true, tools: [{ name: 'make', description: '', schema: {} }] });
  assert.is(runner.tools(asked, of('kimi-cli')), 'prompt');
  assert.is(runner.tools(asked, of('@moonshot-ai/kimi-code')), 'mcp');
  const servers = request({ mcpServers: [{ name: 'x', type: 'stdio', command: 'x', args: [], env: {} }] });
  assert.ok(isRefusal(runner.invoke(servers, of('kimi-cli'))));
  assert.not.ok(isRefusal(runner.invoke(servers, of('@moonshot-ai/kimi-code'))));
});

test.run();
