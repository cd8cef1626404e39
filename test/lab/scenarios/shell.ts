import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf } from '../../run-program.js';
import { type Bench, describe, type Outcome } from '../harness/bench.js';
import { NO_TOOL } from '../model/texts.js';
import type { Scenario } from './scenario.js';

const full = ['--access', 'full', '--allow-root'];

const gapsOf = (outcome: Outcome): unknown[] => {
  const gaps = outcome.first('start')?.access_gaps;
  return Array.isArray(gaps) ? gaps : [];
};

/** The disk is the judge: a file is there or it is not, whatever anyone says about it. */
function expectFile(bench: Bench, outcome: Outcome, path: string, content: string): void {
  bench.check('exit', outcome.code === 0, describe(outcome));
  const found = existsSync(path) ? readFileSync(path, 'utf8').trim() : 'no file';
  bench.check(
    'disk',
    found === content,
    `on disk: ${found.slice(0, 100)}; the model said ${JSON.stringify(outcome.text.slice(0, 200))}`,
  );
}

/** Not written, or `start` said beforehand that this is not prevented. */
function expectPrevented(bench: Bench, outcome: Outcome, path: string): void {
  const wrote = existsSync(path);
  const gaps = gapsOf(outcome);
  bench.check(
    'disk',
    !wrote || gaps.includes('write') || gaps.includes('shell'),
    `written although access_gaps is ${JSON.stringify(gaps)}`,
  );
  const sandbox = outcome.first('start')?.native_sandbox;
  bench.check('truth', !wrote || sandbox !== 'read-only', `written although native_sandbox is ${String(sandbox)}`);
  bench.check('exit', outcome.code === 0, `a refused tool must not fail the turn: ${describe(outcome)}`);
}

function repository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'committed-by-the-lab.txt'), 'one\n');
  const git = (...args: string[]): void => {
    outputOf('git', ['-c', 'user.name=lab', '-c', 'user.email=lab@localhost', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  };
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'lab');
}

export const shellScenarios: readonly Scenario[] = [
  {
    name: 'shell-full',
    title: 'A native shell command runs at full access',
    core: true,
    needs: 'agent-exec-full-access',
    smoke: true,
    async run(bench) {
      const outcome = await bench.turn('shell echo lab-output; echo made > made.txt', { flags: full });
      expectFile(bench, outcome, join(bench.folder, 'work', 'made.txt'), 'made');
      const starts = outcome.of('tool_activity').filter((event) => event.phase === 'start');
      const ends = outcome.of('tool_activity').filter((event) => event.phase === 'end');
      bench.check(
        'activity',
        starts.length === 1 && starts[0]?.kind === 'shell',
        `tool_activity starts: ${JSON.stringify(starts)?.slice(0, 300)}`,
      );
      const input = starts[0]?.input as Record<string, unknown> | null | undefined;
      bench.check('input', String(input?.command ?? '').includes('made.txt'), `input is ${JSON.stringify(input)}`);
      bench.check(
        'output',
        ends[0]?.ok === true && String(ends[0].output).includes('lab-output'),
        `end is ${JSON.stringify(ends[0])?.slice(0, 300)}`,
      );
      bench.check('told', outcome.text.includes('lab-output'), 'the model was not given the output');
    },
  },
  {
    name: 'shell-default',
    title: 'A writing shell command at the default mode',
    core: true,
    async run(bench) {
      const outcome = await bench.turn('shell touch made.txt');
      expectPrevented(bench, outcome, join(bench.folder, 'work', 'made.txt'));
    },
  },
  {
    name: 'write-default',
    title: 'A native file edit at the default mode',
    async run(bench) {
      const path = join(bench.folder, 'work', 'written.txt');
      const outcome = await bench.turn(`write ${path} from the lab`);
      expectPrevented(bench, outcome, path);
    },
  },
  {
    name: 'write-full',
    title: 'A native file edit at full access',
    async run(bench) {
      const path = join(bench.folder, 'work', 'written.txt');
      const outcome = await bench.turn(`write ${path} from the lab`, { flags: full });
      expectFile(bench, outcome, path, 'from the lab');
      const kinds = outcome.of('tool_activity').map((event) => event.kind);
      bench.check(
        'kind',
        kinds.some((kind) => kind === 'write' || kind === 'shell' || kind === 'patch' || kind === 'edit'),
        `kinds: ${kinds.join(' ')}`,
      );
    },
  },
  {
    name: 'git-log',
    title: 'A command that only reads works at the default mode',
    async run(bench) {
      repository(join(bench.folder, 'work'));
      const outcome = await bench.turn('shell git log -1 --stat');
      bench.check('exit', outcome.code === 0, describe(outcome));
      bench.check(
        'told',
        outcome.text.includes('committed-by-the-lab.txt'),
        `the model got ${JSON.stringify(outcome.text.slice(0, 200))}`,
      );
    },
  },
  {
    name: 'read-mode',
    title: 'The mode read: nothing is changed, or it is refused',
    needs: 'agent-exec-access-read',
    async run(bench) {
      const path = join(bench.folder, 'work', 'made.txt');
      const outcome = await bench.turn('shell touch made.txt', { flags: ['--access', 'read'] });
      bench.check('disk', !existsSync(path), 'a file was written at the mode read');
      const refused = outcome.first('error')?.code === 'unsupported' && outcome.code === 2;
      bench.check('exit', refused || outcome.code === 0, describe(outcome));
    },
  },
  {
    name: 'edit-mode',
    title: 'The mode edit: written inside the folder and nowhere else, or it is refused',
    needs: 'exec-access-edit',
    async run(bench) {
      const inside = join(bench.folder, 'work', 'inside.txt');
      const outside = join(bench.folder, 'outside.txt');
      const flags = ['--access', 'edit'];
      const first = await bench.turn(`write ${inside} from the lab`, { flags });
      if (first.first('error')?.code === 'unsupported') {
        bench.check('refusal', first.code === 2, describe(first));
        return;
      }
      if (!first.text.includes(NO_TOOL)) expectFile(bench, first, inside, 'from the lab');
      await bench.turn(`write ${outside} from the lab`, { flags });
      await bench.turn('shell touch ../outside.txt', { flags });
      bench.check('outside', !existsSync(outside), 'a file was written outside the folder');
    },
  },
];
