import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from '../harness/bench.js';
import type { Scenario } from './scenario.js';

const TOOLS = ['--tools', 'stdio', '--tool-names', 'lab_only_tool'];

export const noToolScenarios: readonly Scenario[] = [
  {
    name: 'access-none',
    title: "The mode none: the model is offered no tool but the caller's, or it is refused",
    needs: 'exec-access-none',
    async run(bench) {
      for (const own of [[], TOOLS]) {
        const made = join(bench.folder, 'work', 'made.txt');
        const flags = ['--access', 'none', ...own];
        const outcome = await bench.turn('shell touch made.txt', { flags, stdin: own.length > 0 ? 'open' : 'closed' });
        if (outcome.first('error')?.code === 'unsupported') {
          bench.check('refusal', outcome.code === 2 && outcome.requests.length === 0, describe(outcome));
          return;
        }
        bench.check('exit', outcome.code === 0, describe(outcome));
        bench.check('disk', !existsSync(made), 'a file was written');
        const offered = outcome.requests.flatMap(({ asked }) => asked?.tools.map(({ name }) => name) ?? []);
        const foreign = offered.filter((name) => !name.includes('lab_only_tool'));
        bench.check('offered', foreign.length === 0, `offered: ${[...new Set(foreign)].join(', ')}`);
        bench.check('asked', outcome.requests.length > 0, 'the model was not asked');
        const has = offered.some((name) => name.includes('lab_only_tool'));
        bench.check('callers', has === own.length > 0, `the caller's tool among ${offered.length} offered: ${has}`);
      }
    },
  },
];
