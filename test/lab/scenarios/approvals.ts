import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, describe, type Outcome } from '../harness/bench.js';
import type { Scenario } from './scenario.js';

/** Asks the model for a writing shell command and answers every permission question with the same choice. */
async function ask(
  bench: Bench,
  choice: string,
  access = 'scoped',
): Promise<{ outcome: Outcome; asked: number; wrote: boolean }> {
  let asked = 0;
  const outcome = await bench.turn('escalate touch approved.txt', {
    stdin: 'frames',
    flags: ['--approvals', 'stdio', '--access', access],
    onEvent: (event, live) => {
      if (event.type !== 'permission_request') return;
      asked += 1;
      live.frame({ v: 1, type: 'permission_result', id: event.id, choice, message: 'LAB-SAYS-NO' });
    },
  });
  return { outcome, asked, wrote: existsSync(join(bench.folder, 'work', 'approved.txt')) };
}

const silent = (outcome: Outcome): boolean => outcome.first('start')?.approvals !== 'on';

export const approvalScenarios: readonly Scenario[] = [
  {
    name: 'approve',
    title: 'A permission question is asked, allowed and carried out',
    needs: 'exec-approvals',
    async run(bench) {
      const { outcome, asked, wrote } = await ask(bench, 'allow_once');
      bench.check('exit', outcome.code === 0, describe(outcome));
      const request = outcome.first('permission_request');
      bench.check(
        'asked',
        asked > 0 || silent(outcome),
        `start.approvals is on but nothing was asked: ${JSON.stringify(outcome.text.slice(0, 200))}`,
      );
      bench.check(
        'kind',
        asked === 0 || request?.kind === 'shell',
        `asked as ${JSON.stringify(request)?.slice(0, 300)}`,
      );
      bench.check(
        'input',
        asked === 0 || JSON.stringify(request?.input).includes('approved.txt'),
        `asked with ${JSON.stringify(request?.input)}`,
      );
      bench.check(
        'disk',
        asked === 0 || wrote,
        `allowed, but not carried out: ${JSON.stringify(outcome.text.slice(0, 200))}`,
      );
    },
  },
  {
    name: 'approve-edit',
    title: 'At edit, a command that the mode does not allow is asked for, and runs once it is allowed',
    needs: 'exec-approvals',
    async run(bench) {
      const { outcome, asked, wrote } = await ask(bench, 'allow_once', 'edit');
      if (outcome.first('error')?.code === 'unsupported')
        return bench.check('exit', outcome.code === 2, describe(outcome));
      bench.check('exit', outcome.code === 0, describe(outcome));
      // Some offer no shell at edit: what they would run unasked could be steered by files that were written.
      bench.check('disk', asked > 0 === wrote, `asked ${asked} times, ${wrote ? 'written' : 'not written'}`);
    },
  },
  {
    name: 'refuse',
    title: 'A permission question is denied: nothing is written and the turn ends in order',
    needs: 'exec-approvals',
    async run(bench) {
      const { outcome, asked, wrote } = await ask(bench, 'deny');
      bench.check('exit', outcome.code === 0, describe(outcome));
      bench.check('disk', asked === 0 || !wrote, 'denied, but written');
      const end = outcome.of('tool_activity').find((event) => event.phase === 'end');
      bench.check(
        'denied',
        asked === 0 || end?.denied === true,
        `the activity ended as ${JSON.stringify(end)?.slice(0, 200)}`,
      );
    },
  },
  {
    name: 'cancel-question',
    title: 'A cancel while a permission question is open',
    needs: 'exec-approvals',
    async run(bench) {
      const outcome = await bench.turn('escalate touch approved.txt', {
        stdin: 'frames',
        flags: ['--approvals', 'stdio'],
        onEvent: (event, live) => {
          if (event.type !== 'permission_request') return;
          live.ask();
          live.frame({ v: 1, type: 'cancel' });
        },
      });
      if (outcome.first('permission_request') === undefined)
        return bench.check('exit', outcome.code === 0 && silent(outcome), describe(outcome));
      bench.check('exit', outcome.code === 130, describe(outcome));
      bench.check('time', (outcome.endedAfterMs ?? 9999) < 4000, `ended ${String(outcome.endedAfterMs)} ms after`);
      bench.check('disk', !existsSync(join(bench.folder, 'work', 'approved.txt')), 'written without an answer');
    },
  },
  {
    name: 'approve-never',
    title: 'A permission question that nobody answers ends with the time limit, and nothing is written',
    needs: 'exec-approvals',
    async run(bench) {
      // How long a program takes to come to its question depends on the machine.
      const plain = await bench.turn('text');
      const limit = `${Math.ceil(plain.wallMs / 500) + 10}s`;
      const outcome = await bench.turn('escalate touch approved.txt', {
        stdin: 'frames',
        flags: ['--approvals', 'stdio', '--timeout', limit],
        watchdogMs: plain.wallMs * 2 + 60_000,
      });
      const asked = outcome.of('permission_request').length > 0;
      bench.check('asked', asked || silent(outcome), 'start.approvals is on but nothing was asked');
      const error = outcome.first('error');
      bench.check('code', !asked || (error?.code === 'timeout' && outcome.code === 124), describe(outcome));
      bench.check(
        'disk',
        !existsSync(join(bench.folder, 'work', 'approved.txt')) || silent(outcome),
        'written unasked',
      );
    },
  },
];
