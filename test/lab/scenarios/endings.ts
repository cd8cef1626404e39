import { type Bench, describe, type Outcome } from '../harness/bench.js';
import { whenBusy } from '../harness/busy.js';
import type { Scenario } from './scenario.js';

/** Everything that ends a turn from outside, while the model is silent in the middle of an answer. */
function expectEnd(bench: Bench, outcome: Outcome, exit: number, code: string): void {
  bench.check('exit', outcome.code === exit, describe(outcome));
  bench.check('code', outcome.first('error')?.code === code, describe(outcome));
  const after = outcome.endedAfterMs;
  bench.check(
    'time',
    after !== null && after < 4000,
    `ended ${after === null ? 'before it was asked to' : `${after} ms after`}`,
  );
}

export const endingScenarios: readonly Scenario[] = [
  {
    name: 'cancel',
    title: 'A cancel frame ends a hanging turn',
    core: true,
    needs: 'exec-cancel-always',
    smoke: true,
    async run(bench) {
      const outcome = await bench.turn('hang', {
        stdin: 'frames',
        onEvent: whenBusy(bench, (live) => live.frame({ v: 1, type: 'cancel' })),
      });
      expectEnd(bench, outcome, 130, 'cancelled');
    },
  },
  {
    name: 'sigterm',
    title: 'SIGTERM ends a hanging turn',
    async run(bench) {
      const outcome = await bench.turn('hang', { onEvent: whenBusy(bench, (live) => live.signal('SIGTERM')) });
      expectEnd(bench, outcome, 130, 'cancelled');
    },
  },
  {
    name: 'timeout',
    title: '--timeout ends a hanging turn',
    core: true,
    async run(bench) {
      const outcome = await bench.turn('hang', { flags: ['--timeout', '8s'] });
      bench.check('exit', outcome.code === 124, describe(outcome));
      const error = outcome.first('error');
      bench.check('code', error?.code === 'timeout' && error.reason === 'deadline', describe(outcome));
      bench.check('time', outcome.wallMs > 7500 && outcome.wallMs < 13_000, `took ${outcome.wallMs} ms`);
    },
  },
  {
    name: 'idle',
    title: '--idle-timeout ends a silent turn',
    async run(bench) {
      const outcome = await bench.turn('hang', { flags: ['--idle-timeout', '6s'], watchdogMs: 40_000 });
      const error = outcome.first('error');
      bench.check('code', outcome.code === 124 && error?.reason === 'idle', describe(outcome));
    },
  },
  {
    name: 'cancel-tool',
    title: 'SIGTERM while a native shell command runs: nothing is left',
    async run(bench) {
      const outcome = await bench.turn('shell node -e "setTimeout(() => {}, 90000)"', {
        flags: ['--access', 'full', '--allow-root'],
        onEvent: (event, live) => {
          if (event.type !== 'tool_activity' || event.phase !== 'start') return;
          setTimeout(() => {
            live.ask();
            live.signal('SIGTERM');
          }, 1500);
        },
      });
      expectEnd(bench, outcome, 130, 'cancelled');
      const end = outcome.of('tool_activity').find((event) => event.phase === 'end');
      bench.check('closed', end?.cancelled === true, `the activity ended as ${JSON.stringify(end)?.slice(0, 200)}`);
    },
  },
  {
    name: 'sigkill',
    title: 'Our own process is killed: the program goes too',
    async run(bench) {
      await bench.turn('hang', { cutShort: true, onEvent: whenBusy(bench, (live) => live.signal('SIGKILL')) });
    },
  },
  {
    name: 'stdout-closed',
    title: 'The host closes our stdout: the turn ends as a cancel',
    async run(bench) {
      const outcome = await bench.turn('slow 20', {
        cutShort: true,
        onEvent: whenBusy(bench, (live) => live.closeStdout()),
      });
      bench.check('exit', outcome.code === 130, `exit code ${outcome.code}`);
      const after = outcome.endedAfterMs;
      bench.check('time', after !== null && after < 6000, `ended ${String(after)} ms after`);
    },
  },
  {
    name: 'max-turns',
    title: '--max-turns ends a turn that goes round and round',
    async run(bench) {
      const outcome = await bench.turn('loop pwd', {
        flags: ['--access', 'full', '--allow-root', '--max-turns', '2', '--timeout', '90s'],
      });
      bench.check('exit', outcome.code === 1, describe(outcome));
      bench.check('stop-reason', outcome.events.at(-1)?.stop_reason === 'max_turns', describe(outcome));
      const starts = outcome.of('tool_activity').filter((event) => event.phase === 'start').length;
      bench.check('rounds', starts >= 1 && starts <= 3, `${starts} tool rounds were started`);
    },
  },
];
