import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, describe, type Outcome } from '../harness/bench.js';
import { whenBusy } from '../harness/busy.js';
import { holds } from '../model/request-log.js';
import { TEXT } from '../model/texts.js';
import { nameOf } from '../recipes/recipe.js';
import type { Scenario } from './scenario.js';

const full = ['--access', 'full', '--allow-root'];

const schema = JSON.stringify({
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
});

function structured(bench: Bench, order: string): Promise<Outcome> {
  return bench.turn(`json ${order}`, { flags: ['--output-schema', bench.write('schema.json', schema)] });
}

/** A red pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const refused = (outcome: Outcome): boolean => outcome.code === 2 && outcome.first('error')?.code === 'unsupported';

const notices = (outcome: Outcome): string =>
  outcome
    .of('status')
    .map((event) => String(event.message ?? ''))
    .join(' ');

export const optionScenarios: readonly Scenario[] = [
  {
    name: 'effort',
    title: '--effort reaches the model, or a notice says it does not',
    needs: 'agent-exec-effort',
    async run(bench) {
      const outcome = await bench.turn('text', { flags: ['--effort', 'high'] });
      bench.check('exit', outcome.code === 0 && outcome.text === TEXT, describe(outcome));
      const arrived = outcome.requests.some((request) => request.asked?.effort === 'high');
      bench.check(
        'arrives',
        arrived || /effort/i.test(notices(outcome)),
        `asked with ${String(outcome.requests[0]?.asked?.effort)}, notices: ${notices(outcome)}`,
      );
    },
  },
  {
    name: 'schema',
    title: 'An answer in JSON by a schema',
    needs: 'exec-output-schema',
    async run(bench) {
      const outcome = await structured(bench, 'valid {"city":"Ulm"}');
      bench.check('exit', outcome.code === 0, describe(outcome));
      const result = outcome.first('result');
      bench.check(
        'structured',
        JSON.stringify(result?.structured) === '{"city":"Ulm"}',
        `structured is ${JSON.stringify(result?.structured)}`,
      );
      bench.check(
        'output',
        JSON.stringify(JSON.parse(String(result?.output ?? 'null'))) === '{"city":"Ulm"}',
        `output is ${JSON.stringify(result?.output)}`,
      );
    },
  },
  {
    name: 'schema-repair',
    title: 'A wrong JSON answer is repaired once',
    needs: 'exec-output-schema',
    async run(bench) {
      const outcome = await structured(bench, 'repaired {"town":"Ulm"} || {"city":"Ulm"}');
      bench.check('exit', outcome.code === 0, describe(outcome));
      const value = outcome.first('result')?.structured;
      bench.check('structured', JSON.stringify(value) === '{"city":"Ulm"}', `structured is ${JSON.stringify(value)}`);
    },
  },
  {
    name: 'schema-never',
    title: 'An answer that never fits is an error',
    needs: 'exec-output-schema',
    async run(bench) {
      const outcome = await structured(bench, 'impossible {"town":"Ulm"}');
      bench.check('code', outcome.code === 1 && outcome.first('error')?.code === 'output-schema', describe(outcome));
    },
  },
  {
    name: 'image',
    title: 'An image reaches the model, or is refused',
    async run(bench) {
      const path = bench.write('pixel.png', '');
      writeFileSync(path, Buffer.from(pixel, 'base64'));
      const outcome = await bench.turn('text', { flags: ['--image', path] });
      const arrived = outcome.requests.some((request) => holds(request.body, 'iVBORw0KGgo'));
      bench.check(
        'arrives',
        refused(outcome) || (outcome.code === 0 && arrived),
        `${describe(outcome)}; in a request: ${arrived}`,
      );
    },
  },
  {
    name: 'env',
    title: "--env reaches the program's tools, other vendors' keys do not",
    async run(bench) {
      const foreign = bench.recipe.foreignKey ?? 'LAB_NOTHING';
      const outcome = await bench.turn(`shell echo "[$LAB_WORD] [$TURNOUT] [$${foreign}]"`, {
        flags: [...full, '--env', 'LAB_WORD=given'],
        env: bench.recipe.foreignKey ? { [foreign]: 'leaked-by-the-lab' } : {},
      });
      bench.check('exit', outcome.code === 0, describe(outcome));
      bench.check(
        'given',
        outcome.text.includes('[given] [1]'),
        `the shell printed ${JSON.stringify(outcome.text.slice(0, 200))}`,
      );
      bench.check(
        'kept-out',
        !outcome.text.includes('leaked-by-the-lab'),
        "another vendor's key is in the program's environment",
      );
    },
  },
  {
    name: 'project-files',
    title: "The project's own instructions and hooks are left out, or named in start",
    needs: 'agent-exec-settings',
    async run(bench) {
      const work = join(bench.folder, 'work');
      const word = 'LAB-PROJECT-INSTRUCTION';
      const touched = join(bench.folder, 'hook-ran');
      mkdirSync(join(work, '.claude'), { recursive: true });
      mkdirSync(join(work, '.gemini'), { recursive: true });
      for (const name of ['CLAUDE.md', 'AGENTS.md', 'GEMINI.md'])
        writeFileSync(join(work, name), `${word} in ${name}\n`);
      const hook = { hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: `touch '${touched}'` }] }] } };
      writeFileSync(join(work, '.claude', 'settings.json'), JSON.stringify(hook));
      const outcome = await bench.turn('text');
      bench.check('exit', outcome.code === 0, describe(outcome));
      const loaded = outcome.first('start')?.settings_loaded;
      const named = Array.isArray(loaded) && loaded.length > 0;
      const arrived = outcome.requests.some((request) => holds(request.body, word));
      bench.check(
        'truth',
        !arrived || named,
        `project instructions reached the model, settings_loaded is ${JSON.stringify(loaded)}`,
      );
      bench.check('hook', !existsSync(touched) || named, 'a hook of the project ran');
    },
  },
  {
    name: 'budget',
    title: '--budget-usd ends a turn that costs more, or a notice says that no cost is known',
    async run(bench) {
      const outcome = await bench.turn('loop pwd', {
        flags: [...full, '--budget-usd', '0.000001', '--max-turns', '4', '--timeout', '90s'],
      });
      const ended = outcome.code === 1 && outcome.first('error')?.code === 'budget';
      const said = /budget|cost/i.test(notices(outcome));
      bench.check('budget', ended || said, `${describe(outcome)}; notices: ${notices(outcome)}`);
    },
  },
  {
    name: 'steer',
    title: 'Guidance while a tool runs: delivered, or said not to be',
    needs: 'exec-steer',
    async run(bench) {
      const words = `LAB-GUIDANCE for ${nameOf(bench.recipe)}`;
      // While the tool runs; a program that shows none gets its guidance all the same.
      const busy = whenBusy(bench, (live) => live.frame({ v: 1, type: 'steer', id: 's1', text: words }));
      const outcome = await bench.turn('shell node -e "setTimeout(() => console.log(1), 3000)"', {
        stdin: 'frames',
        flags: full,
        onEvent: (event, live) => {
          if (event.type !== 'assistant') busy(event, live);
        },
      });
      bench.check('exit', outcome.code === 0, describe(outcome));
      const notice = outcome.of('status').find((event) => event.steer !== undefined);
      const steer = notice?.steer as { id?: string; delivered?: boolean } | undefined;
      bench.check(
        'notice',
        steer?.id === 's1',
        `no notice with steer; status events: ${JSON.stringify(outcome.of('status'))?.slice(0, 300)}`,
      );
      const heard = bench.model.log.holding(words).length > 0;
      bench.check(
        'truth',
        steer === undefined || steer.delivered === heard,
        `delivered is ${String(steer?.delivered)}, in a request: ${heard}`,
      );
    },
  },
];
