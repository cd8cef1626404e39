/** Programs that say error and success at once: success never wins, and the words of an error are no answer. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import cline from '../../runners/cline/index.js';
import copilot from '../../runners/copilot/index.js';
import droid from '../../runners/droid/index.js';
import gptme from '../../runners/gptme/index.js';
import letta from '../../runners/letta/index.js';
import pi from '../../runners/pi/index.js';
import type { Heard } from '../../src/runner/action.js';
import type { Runner } from '../../src/runner/runner.js';
import { agent } from './acp-play.js';
import { hearAll, lines, machine, request, saidText } from './drive.js';

const BROKE = 'it broke';
const left = (code: number): Heard => ({ type: 'exit', code, signal: null, files: {} });

/** @returns what was said and how the turn ended */
function turn(runner: Runner, heard: readonly Heard[]) {
  const actions = hearAll(runner.converse(request(), machine()), [{ type: 'spawned' }, ...heard]);
  const outcome = actions.flatMap((action) => (action.do === 'finish' ? [action.outcome] : []))[0];
  return { outcome, text: saidText(actions) };
}
function fails(runner: Runner, heard: readonly Heard[]): void {
  const { outcome, text } = turn(runner, heard);
  assert.ok(outcome?.ok === false, `${runner.id} ended as ${JSON.stringify(outcome)}`);
  assert.match(outcome.message, BROKE);
  assert.is(text, '', runner.id);
}

test('cline: an error, its words as an answer, and a completed run', () => {
  const event = (inner: object) => ({ type: 'agent_event', event: inner });
  fails(
    cline,
    lines(
      event({ type: 'error', error: { message: BROKE } }),
      event({ type: 'content_end', contentType: 'text', text: BROKE }),
      { type: 'run_result', finishReason: 'completed', text: BROKE },
    ),
  );
});

test('letta: an error and a result of success', () => {
  fails(letta, lines({ type: 'error', message: BROKE }, { type: 'result', subtype: 'success', result: BROKE }));
});

test('copilot: a session error and exit code 0', () => {
  const failed = { type: 'session.error', data: { errorType: 'query', message: BROKE } };
  fails(copilot, [...lines(failed, { type: 'result', sessionId: 's', exitCode: 0 }), left(0)]);
});

const opened = { type: 'response', id: '1', result: { sessionId: 's' } };
const taken = { type: 'response', id: '2', result: {} };
const note = (notification: object) => ({
  type: 'notification',
  method: 'droid.session_notification',
  params: { notification },
});
const ends = [
  note({ type: 'agent_turn_completed', reason: 'completed' }),
  note({ type: 'droid_working_state_changed', newState: 'idle' }),
];

test('droid: an error and a completed turn', () => {
  fails(droid, lines(opened, taken, note({ type: 'error', message: BROKE }), ...ends));
});

test('droid: an error that the model got over is none', () => {
  const answer = note({ type: 'assistant_text_delta', messageId: 'a', textDelta: 'hello' });
  const { outcome, text } = turn(droid, lines(opened, taken, note({ type: 'error', message: BROKE }), answer, ...ends));
  assert.is(outcome?.ok, true);
  assert.is(text, 'hello');
});

test('pi: an error message, its words as content, and a stop', () => {
  const { talk, begun } = startedPi();
  const message = {
    role: 'assistant',
    content: [{ type: 'text', text: BROKE }],
    stopReason: 'stop',
    errorMessage: BROKE,
  };
  const actions = [
    ...begun,
    ...hearAll(
      talk,
      lines(
        { type: 'agent_start' },
        { type: 'message_start', message: { role: 'assistant' } },
        { type: 'message_end', message },
        { type: 'agent_settled' },
      ),
    ),
  ];
  const outcome = actions.flatMap((action) => (action.do === 'finish' ? [action.outcome] : []))[0];
  assert.ok(outcome?.ok === false && outcome.message === BROKE, JSON.stringify(outcome));
  assert.is(saidText(actions), '');
});

test('gptme: an answer and an exit code that is not 0', () => {
  const said = { type: 'message', role: 'assistant', content: 'hello', metadata: { model: 'm' } };
  const { outcome } = turn(gptme, [...lines(said), left(3)]);
  assert.is(outcome?.ok, false);
});

test('ACP: an answer to the prompt with a result and an error', () => {
  const one = agent();
  one.open();
  const id = one.sent('session/prompt')['id'] ?? null;
  one.hear({
    type: 'line',
    text: JSON.stringify({
      ...{ jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } },
      error: { code: -32603, message: BROKE },
    }),
  });
  const outcome = one.outcome();
  assert.ok(outcome?.ok === false && outcome.message.includes(BROKE), JSON.stringify(outcome));
});

/** pi, with its prompt taken. */
function startedPi() {
  const talk = pi.converse(request({ access: 'full' }), machine());
  const begun = hearAll(talk, [{ type: 'spawned' }]);
  const ids = (): string[] => {
    const sent = begun.flatMap((action) => (action.do === 'write' ? [JSON.parse(action.line)] : []));
    return sent.map((one) => String(one.id));
  };
  for (const command of ['get_state', 'prompt']) {
    const id = ids().at(-1);
    const data = { sessionId: 's', model: { id: 'm' } };
    begun.push(...hearAll(talk, lines({ type: 'response', id, command, success: true, data })));
  }
  return { talk, begun };
}

test.run();
