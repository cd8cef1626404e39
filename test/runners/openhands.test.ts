/** Turns of OpenHands 1.16.0 over ACP, from recordings. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import runner from '../../runners/openhands.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { isRefusal } from '../../src/runner/runner.js';
import { machine, request } from './drive.js';
import { play } from './play.js';

test('an answer without the system prompt that it shows first, with its tokens', async () => {
  const { of, exitCode } = await play(runner, 'text');
  assert.is(exitCode, 0);
  assert.equal(
    of('assistant').map((one) => one.text),
    ['Hello from the scripted model.'],
  );
  assert.equal(
    of('usage').map((one) => [one.input_tokens, one.output_tokens, one.cached_tokens, one.cost_usd]),
    [[1200, 34, 200, null]],
  );
});

test('a refused key is told by its details, and once', async () => {
  const { of } = await play(runner, 'unauthorized');
  assert.equal([of('error')[0]?.code, of('assistant').length, of('thinking').length], ['auth', 0, 0]);
});

test('a command at full access, with its exit code', async () => {
  const [start, end] = (await play(runner, 'shell')).of('tool_activity');
  assert.is(start?.phase === 'start' && start.input?.['command'], 'echo lab-output; echo made > made.txt');
  assert.equal(end?.phase === 'end' && [end.ok, end.exit_code], [true, 0]);
});

test('a model that would not be heeded is refused', () => {
  const answer = runner.invoke(request({ model: 'anthropic/claude' }), machine());
  assert.is(isRefusal(answer) && answer.refuse, 'unsupported');
  assert.not.ok(isRefusal(runner.invoke(request({ model: null }), machine())));
});

test('servers whose calls nobody could tell apart are refused at the default mode', () => {
  const mcpServers = [
    { name: 'x', type: 'stdio' as const, command: 'x', args: [], env: {} },
  ] satisfies TurnRequest['mcpServers'];
  const asked = (access: 'scoped' | 'full') => runner.invoke(request({ model: null, mcpServers, access }), machine());
  assert.ok(isRefusal(asked('scoped')));
  assert.not.ok(isRefusal(asked('full')));
});

test.run();
