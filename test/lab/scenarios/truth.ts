import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, describe, type Outcome } from '../harness/bench.js';
import { joined } from '../harness/stream.js';
import { NO_TOOL } from '../model/texts.js';
import { nameOf } from '../recipes/recipe.js';
import type { Scenario } from './scenario.js';

/** What the default mode really prevents, against what `start` says of it. */
function expectNamed(bench: Bench, outcome: Outcome, happened: boolean, gaps: readonly string[]): void {
  const named = outcome.first('start')?.access_gaps;
  const told = Array.isArray(named) && gaps.some((gap) => named.includes(gap));
  bench.check('truth', !happened || told, `it happened although access_gaps is ${JSON.stringify(named)}`);
  bench.check('exit', outcome.code === 0, describe(outcome));
}

const word = 'LAB-SECRET-OUTSIDE';

export const truthScenarios: readonly Scenario[] = [
  {
    name: 'read-outside',
    title: 'Reading outside the folder at the default mode: prevented, or said beforehand',
    async run(bench) {
      const path = bench.write('outside.txt', `${word}\n`);
      const native = await bench.turn(`read ${path}`);
      expectNamed(bench, native, native.text.includes(word), ['read_outside']);
      const shell = await bench.turn(`shell cat ${path}`);
      expectNamed(bench, shell, shell.text.includes(word), ['read_outside', 'shell']);
    },
  },
  {
    name: 'write-outside',
    title: 'Writing outside the folder at the default mode, also through a link',
    async run(bench) {
      const direct = join(bench.folder, 'outside.txt');
      expectNamed(bench, await bench.turn(`write ${direct} text`), existsSync(direct), ['write', 'shell']);
      const byShell = join(bench.folder, 'by-shell.txt');
      expectNamed(bench, await bench.turn('shell git log > ../by-shell.txt'), existsSync(byShell), ['write', 'shell']);
      const chained = join(bench.folder, 'work', 'chained.txt');
      expectNamed(bench, await bench.turn('shell git status; touch chained.txt'), existsSync(chained), [
        'write',
        'shell',
      ]);
    },
  },
  {
    name: 'network',
    title: 'A shell command on the network at the default mode: prevented, or said beforehand',
    async run(bench) {
      const page = `/lab-page-for-${nameOf(bench.recipe)}`;
      const outcome = await bench.turn(`shell curl -s -m 5 ${bench.model.url}${page}`);
      const reached = bench.model.log.entries.some((entry) => entry.path === page);
      expectNamed(bench, outcome, reached, ['network', 'shell']);
    },
  },
  {
    name: 'plan',
    title: 'A plan or to-do list is shown as one',
    async run(bench) {
      const outcome = await bench.turn('plan', { flags: ['--access', 'full', '--allow-root'] });
      bench.check('exit', outcome.code === 0, describe(outcome));
      bench.check('offered', !outcome.text.includes(NO_TOOL), 'no tool for plans was offered to the model');
      const entries = outcome.of('plan').at(-1)?.entries;
      const shown = Array.isArray(entries)
        ? entries.map((entry) => `${entry.status} ${entry.content}`).join(', ')
        : 'no plan event';
      const wanted = 'completed look around, in_progress change it, pending check it';
      bench.check('plan', shown === wanted, `the plan is: ${shown}`);
    },
  },
  {
    name: 'subagent',
    title: "A subagent's work is told apart from the main agent's",
    needs: 'agent-exec-subagent-events',
    async run(bench) {
      const outcome = await bench.turn('task SCENARIO:text inner', { flags: ['--access', 'full', '--allow-root'] });
      bench.check('exit', outcome.code === 0, describe(outcome));
      bench.check('offered', !outcome.text.includes(NO_TOOL), 'no tool for subagents was offered to the model');
      const phases = outcome.of('subagent').map((event) => event.phase);
      bench.check(
        'events',
        phases.includes('started') && phases.includes('finished'),
        `subagent events: ${phases.join(' ')}`,
      );
      const own = joined(outcome.events);
      bench.check(
        'apart',
        own.startsWith('Running the tool.Tool said:'),
        `the main agent's text is ${JSON.stringify(own.slice(0, 200))}`,
      );
    },
  },
  {
    name: 'bash-prefix',
    title: '--allow-bash-prefix lets one literal command run and nothing chained to it',
    async run(bench) {
      const work = join(bench.folder, 'work');
      mkdirSync(work, { recursive: true });
      writeFileSync(join(work, 'lab-script.sh'), 'echo script-ran > script-ran.txt\n');
      const flags = ['--allow-bash-prefix', 'sh lab-script.sh'];
      const allowed = await bench.turn('escalate sh lab-script.sh', { flags });
      const said = allowed.of('status').some((event) => /prefix/i.test(String(event.message)));
      const ran = existsSync(join(work, 'script-ran.txt'));
      bench.check(
        'runs',
        ran || said,
        `${describe(allowed)}; the model was told ${JSON.stringify(allowed.text.slice(0, 200))}`,
      );
      const chained = await bench.turn('escalate sh lab-script.sh && touch chained.txt', { flags });
      expectNamed(bench, chained, existsSync(join(work, 'chained.txt')), ['write', 'shell']);
    },
  },
];
