import { isObject, parseObject, str } from '../../../src/text/json.js';
import { type Bench, describe, type Outcome } from '../harness/bench.js';
import { holds } from '../model/request-log.js';
import { type OnCall, result, toolTurn } from './caller-tools.js';
import type { Scenario } from './scenario.js';

/** What scan says of the length from which on a program shortens an answer; undefined when it says nothing. */
function limitOf(scan: string, runtime: string): number | null | undefined {
  const agents = parseObject(scan)?.['agents'];
  const entry = Array.isArray(agents) ? agents.find((one) => str(one, 'id') === runtime) : undefined;
  const limit = isObject(entry) ? entry['tool_result_limit'] : undefined;
  return typeof limit === 'number' || limit === null ? limit : undefined;
}

/** A turn whose caller tool answers with so many characters, and whether the model was given all of them. */
async function answered(bench: Bench, characters: number): Promise<{ outcome: Outcome; whole: boolean }> {
  const lines = Array.from({ length: Math.ceil(characters / 32) }, (_, n) => `line ${n} of a long answer`.padEnd(31));
  const answer = lines
    .join('\n')
    .slice(0, characters - 4)
    .concat('-END');
  const onCall: OnCall = (call, live) => live.frame(result(call.id, answer));
  const outcome = await toolTurn(bench, 'tool look_up {"word":"x"}', onCall, { model: bench.recipe.roomyModel });
  // Where tools are words of the prompt, the answer is part of a JSON text.
  const quoted = JSON.stringify(answer).slice(1, -1);
  const whole = outcome.requests.some(({ body }) => holds(body, answer) || holds(body, quoted));
  return { outcome, whole };
}

export const longAnswerScenarios: readonly Scenario[] = [
  {
    name: 'tool-answer',
    title: 'An answer of 2 MiB reaches the model whole, or scan says how long one may be',
    named: true,
    async run(bench) {
      const scanned = await bench.command(['agent', 'scan', '--json', '--all']);
      const limit = limitOf(scanned.stdout, bench.recipe.runtime);
      bench.check('told', limit !== undefined, 'scan does not say tool_result_limit');
      const { outcome, whole } = await answered(bench, 2 ** 21);
      bench.check('exit', outcome.code === 0, describe(outcome));
      bench.check('echo', outcome.first('tool_result')?.text_truncated === true, 'the echo is not marked as cut');
      bench.check(
        'whole',
        whole === (limit === null),
        `an answer of 2 MiB arrived whole: ${whole}; scan says ${limit}`,
      );
      if (typeof limit !== 'number') return;
      const shorter = await answered(bench, limit);
      bench.check('exit', shorter.outcome.code === 0, describe(shorter.outcome));
      bench.check('within', shorter.whole, `an answer of ${limit} characters did not arrive whole`);
    },
  },
];
