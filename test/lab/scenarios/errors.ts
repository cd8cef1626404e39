import { type Bench, describe, type Outcome } from '../harness/bench.js';
import type { TurnEvent } from '../harness/stream.js';
import { CUT_DELTAS, KEYS, TEXT } from '../model/texts.js';
import type { Scenario } from './scenario.js';

/** A failure of the vendor, and what a host must be told of it, in what time. */
interface FailureCase {
  name: string;
  title: string;
  codes: readonly string[];
  withinMs: number;
  /** Programs try again at this one. */
  retried?: true;
  core?: true;
}

/** Room for a program's start on a busy machine. */
const START_MS = 90_000;

const cases: readonly FailureCase[] = [
  { name: '401', title: 'The vendor refuses the key (401)', codes: ['auth'], withinMs: 10_000, core: true },
  { name: 'badkey', title: "The vendor's own form of a bad key", codes: ['auth'], withinMs: 10_000 },
  { name: '403', title: 'The vendor forbids the request (403)', codes: ['auth', 'runner-error'], withinMs: 75_000 },
  { name: '404', title: 'The model does not exist', codes: ['model-unavailable', 'runner-error'], withinMs: 75_000 },
  { name: '429', title: 'Too many requests (429)', codes: ['rate-limited', 'quota'], withinMs: 75_000, retried: true },
  { name: 'quota', title: 'The account is used up', codes: ['quota', 'rate-limited'], withinMs: 75_000, retried: true },
  {
    name: '500',
    title: 'The vendor fails (500)',
    codes: ['runner-error'],
    withinMs: 75_000,
    retried: true,
    core: true,
  },
  {
    name: '529',
    title: 'The vendor is overloaded',
    codes: ['runner-error', 'rate-limited'],
    withinMs: 75_000,
    retried: true,
  },
  { name: 'dropall', title: 'Every answer breaks off', codes: ['runner-error'], withinMs: 75_000, retried: true },
];

/** Who is not let in is told the command that helps, in the message and alone. */
function expectHint(bench: Bench, error: TurnEvent | undefined): void {
  const hint = error?.hint;
  const there = typeof hint === 'string' && hint !== '' && String(error?.message).includes(hint);
  bench.check('hint', there, `hint ${JSON.stringify(hint)} is not in the message ${JSON.stringify(error?.message)}`);
}

function expectError(bench: Bench, outcome: Outcome, codes: readonly string[], withinMs: number): void {
  const error = outcome.events.findLast((event) => event.type === 'error');
  bench.check('code', codes.includes(String(error?.code)), `wanted ${codes.join(' or ')}, got ${describe(outcome)}`);
  // From the first refusal on: how long a program takes to start is not the question, and depends on the machine.
  const took = outcome.endedAt - (outcome.requests[0]?.at ?? outcome.endedAt - outcome.wallMs);
  bench.check('time', took < withinMs, `took ${Math.round(took / 1000)} s from the first refusal on`);
  const message = String(error?.message ?? '');
  bench.check(
    'message',
    message.length > 0 && !Object.values(KEYS).some((key) => message.includes(key)),
    `the message is ${JSON.stringify(message.slice(0, 200))}`,
  );
  if (error?.code === 'auth') expectHint(bench, error);
}

const fromCase = (one: FailureCase): Scenario => ({
  name: one.name,
  title: one.title,
  ...(one.core ? { core: true } : {}),
  async run(bench) {
    const silent = one.retried === true && bench.recipe.silentRetries !== undefined;
    const flags = silent ? ['--timeout', '25s'] : [];
    const outcome = await bench.turn(one.name, { flags, watchdogMs: one.withinMs + START_MS });
    if (silent && outcome.code === 124) {
      bench.check('silent', false, 'ended by --timeout, since the program tries again in silence');
      return;
    }
    expectError(bench, outcome, one.codes, one.withinMs);
  },
});

export const errorScenarios: readonly Scenario[] = [
  ...cases.map(fromCase),
  {
    name: 'no-login',
    title: 'Nobody is logged in',
    async run(bench) {
      const outcome = await bench.turn('text', {
        ...{ loggedOut: true, flags: ['--timeout', '60s'], watchdogMs: 90_000 },
        ...(bench.recipe.vendorModel ? { model: bench.recipe.vendorModel } : {}),
      });
      const error = outcome.first('error');
      bench.check('code', error?.code === 'auth', describe(outcome));
      bench.check('time', outcome.wallMs < 70_000, `took ${Math.round(outcome.wallMs / 1000)} s`);
      expectHint(bench, error);
    },
  },
  {
    name: 'cut',
    title: 'One answer lacks its end mark: its text once, or an error',
    async run(bench) {
      const outcome = await bench.turn('cut', { watchdogMs: 85_000 });
      if (outcome.code === 0) {
        const whole = CUT_DELTAS.join('');
        const half = CUT_DELTAS.slice(0, 2).join('');
        const once = outcome.text === whole || outcome.text === half;
        bench.check('text', once, `the text arrived as ${JSON.stringify(outcome.text.slice(0, 200))}`);
        bench.check('whole', !once || outcome.text === whole, 'a part of the answer passes for all of it');
      } else {
        bench.check('code', outcome.first('error')?.code === 'runner-error', describe(outcome));
      }
    },
  },
  {
    name: 'drop',
    title: 'One answer breaks off: its text once, or an error',
    async run(bench) {
      const outcome = await bench.turn('drop', { watchdogMs: 85_000 });
      if (outcome.code === 0) {
        bench.check('text', outcome.text === TEXT, `the text arrived as ${JSON.stringify(outcome.text.slice(0, 200))}`);
      } else {
        bench.check('code', outcome.first('error')?.code === 'runner-error', describe(outcome));
      }
      bench.check('time', outcome.wallMs < 75_000, `took ${Math.round(outcome.wallMs / 1000)} s`);
    },
  },
];
