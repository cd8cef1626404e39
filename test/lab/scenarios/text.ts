import { type Bench, describe, type Outcome } from '../harness/bench.js';
import { joined } from '../harness/stream.js';
import { holds } from '../model/request-log.js';
import { LONG, TEXT, THOUGHTS, UNICODE } from '../model/texts.js';
import { COST } from '../model/types.js';
import type { Scenario } from './scenario.js';

function firstDifference(actual: string, expected: string): string {
  let at = 0;
  while (at < actual.length && actual[at] === expected[at]) at += 1;
  return `differs at ${at} of ${expected.length} (got ${actual.length}): ${JSON.stringify(actual.slice(at, at + 60))}`;
}

function expectAnswer(bench: Bench, outcome: Outcome, expected: string): void {
  bench.check('exit', outcome.code === 0, describe(outcome));
  bench.check('exact', outcome.text === expected, firstDifference(outcome.text, expected));
  const result = outcome.first('result');
  bench.check(
    'stop-reason',
    result?.stop_reason === 'end_turn',
    `result.stop_reason is ${String(result?.stop_reason)}`,
  );
  if (result !== undefined && result.text_omitted !== true) {
    bench.check('result', result.text === expected, `result.text ${firstDifference(String(result.text), expected)}`);
  }
}

/** The figures of the scripted model are fixed, so what the runtime reports can be told from what it used. */
function expectUsage(bench: Bench, outcome: Outcome): void {
  const done = outcome.events.at(-1)?.totals as Record<string, number | null> | undefined;
  const calls = outcome.requests.filter((request) => request.status === 200).length;
  const input = done?.input_tokens ?? null;
  const output = done?.output_tokens ?? null;
  bench.check(
    'usage-input',
    input === COST.input * calls,
    `${String(input)} input tokens for ${calls} model calls of ${COST.input}`,
  );
  bench.check(
    'usage-output',
    output === COST.output * calls,
    `${String(output)} output tokens for ${calls} model calls of ${COST.output}`,
  );
}

export const textScenarios: readonly Scenario[] = [
  {
    name: 'text',
    title: 'A short answer',
    core: true,
    smoke: true,
    async run(bench) {
      const outcome = await bench.turn('text');
      expectAnswer(bench, outcome, TEXT);
      const deltas = outcome.of('assistant').length;
      bench.check('deltas', deltas >= 2, `the text came in ${deltas} piece(s)`);
      bench.check('session', typeof outcome.first('session')?.session_id === 'string', 'no session event');
      bench.check('start', outcome.first('start')?.runtime === bench.recipe.runtime, 'start names another runtime');
      const request = outcome.requests[0];
      bench.check('prompt', holds(request?.body, outcome.prompt), 'the prompt did not reach the model as it was');
      bench.check(
        'model',
        request?.asked?.model === bench.recipe.modelAtServer,
        `the model was asked as ${request?.asked?.model}`,
      );
      expectUsage(bench, outcome);
    },
  },
  {
    name: 'long',
    title: 'An answer of 200 KB',
    async run(bench) {
      expectAnswer(bench, await bench.turn('long'), LONG);
    },
  },
  {
    name: 'unicode',
    title: 'Emoji, CJK, right-to-left, line separators: byte for byte',
    core: true,
    async run(bench) {
      expectAnswer(bench, await bench.turn('unicode'), UNICODE);
    },
  },
  {
    name: 'think',
    title: 'Thinking is told apart from the answer',
    async run(bench) {
      const outcome = await bench.turn('think');
      expectAnswer(bench, outcome, TEXT);
      const thoughts = joined(outcome.events, 'thinking');
      bench.check('thinking', outcome.of('thinking').length > 0, 'no thinking event');
      bench.check(
        'thoughts',
        thoughts === THOUGHTS.join(''),
        `the thoughts arrived as ${JSON.stringify(thoughts.slice(0, 200))}`,
      );
    },
  },
  {
    name: 'empty',
    title: 'A turn without an answer is an error',
    async run(bench) {
      const outcome = await bench.turn('empty', { watchdogMs: 80_000 });
      const error = outcome.first('error');
      bench.check('error', outcome.code === 1 && error?.code === 'runner-error', describe(outcome));
    },
  },
  {
    name: 'system',
    title: 'A system prompt and the effort reach the model',
    async run(bench) {
      const outcome = await bench.turn('text', {
        flags: ['--system-file', bench.write('system.txt', 'LAB-SYSTEM: answer in verse.')],
      });
      bench.check('exit', outcome.code === 0, describe(outcome));
      const held = outcome.requests.some((request) => holds(request.body, 'LAB-SYSTEM: answer in verse.'));
      bench.check('arrives', held, 'the system prompt is in no request');
    },
  },
];
