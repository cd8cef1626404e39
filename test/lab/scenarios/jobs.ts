/** Coding jobs: a program edits in a private copy, is sent back, is accepted; and one program audited by another. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outputOf, runProgramLater } from '../../run-program.js';
import type { Bench, Said } from '../harness/bench.js';
import { installedBin } from '../install.js';
import { codex } from '../recipes/codex.js';
import { binVariable } from '../recipes/recipe.js';
import type { Scenario } from './scenario.js';

const CONTRACT = `version: turnout.coding-config.v1
checks:
  - name: unit
    argv: ["test", "-s", "made.txt"]
    timeout_seconds: 60
    required: true
`;

function repository(folder: string): void {
  mkdirSync(join(folder, '.turnout'), { recursive: true });
  writeFileSync(join(folder, '.turnout', 'coding.yaml'), CONTRACT);
  writeFileSync(join(folder, 'there.txt'), 'there\n');
  const git = (...args: string[]) =>
    outputOf('git', ['-c', 'user.name=lab', '-c', 'user.email=lab@localhost', ...args], { cwd: folder });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'The lab');
}

interface Job {
  job_id?: string;
  state?: string;
  verified?: boolean;
  implementation_revision_sha256?: string;
  runs?: string[];
  audits?: { by?: string; verdict?: string }[];
  audit_note?: string | null;
}

function jobOf({ stdout }: Said): Job {
  try {
    const read = JSON.parse(stdout);
    return read.job ?? read;
  } catch {
    return {};
  }
}

const described = ({ code, stdout, stderr }: Said): string =>
  `exit ${code}: ${stdout.slice(-400)} ${stderr.slice(-400)}`;

const choice = ({ runtime, recipe }: Bench): string => `${runtime}${recipe.model === null ? '' : `/${recipe.model}`}`;

/** Whether the program is one that no job is given to, and that was said before anything was started. */
function refused(bench: Bench, said: Said): boolean {
  if (said.code !== 2) return false;
  bench.check('refusal', /--implementer \S+: /.test(said.stderr), described(said));
  return true;
}

export const jobScenarios: readonly Scenario[] = [
  {
    name: 'job',
    title: 'A coding job: edited in a copy, sent back, accepted, landed; or refused in words',
    named: true,
    async run(bench) {
      const folder = join(bench.folder, 'repository');
      repository(folder);
      const submit = ['jobs', 'submit', '--implementer', choice(bench), '--cwd', folder, '--json', '--timeout', '60s'];
      const first = await bench.command([...submit, '--prompt', 'SCENARIO:write made.txt first']);
      if (refused(bench, first)) return;
      const made = jobOf(first);
      const id = made.job_id ?? '';
      bench.check('edit', made.state === 'awaiting_audit' && made.verified === true, described(first));
      bench.check('untouched', !existsSync(join(folder, 'made.txt')), 'the file is in the folder before it landed');
      const revision = made.implementation_revision_sha256 ?? '';
      const audit = ['jobs', 'audit', id, '--json', '--revision'];
      const rework = await bench.command([
        ...[...audit, revision, '--rework', '--finding', 'other.words minor SCENARIO:write made.txt second'],
      ]);
      const again = jobOf(rework);
      const second = again.implementation_revision_sha256 ?? '';
      bench.check('rework', again.state === 'awaiting_audit' && second !== revision, described(rework));
      bench.check('rounds', again.runs?.length === 2, JSON.stringify(again.runs));
      const accepted = await bench.command([...audit, second, '--accept']);
      bench.check('accept', jobOf(accepted).state === 'accepted', described(accepted));
      const landed = await bench.command(['jobs', 'land', id, '--json']);
      const file = join(folder, 'made.txt');
      const words = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'no file';
      bench.check('landed', landed.code === 0 && words === 'second', `${words}: ${described(landed)}`);
    },
  },
  {
    name: 'job-audited',
    title: 'A coding job that another program audits',
    named: true,
    only: ['claude'],
    programs: ['codex'],
    async run(bench) {
      const folder = join(bench.folder, 'repository');
      repository(folder);
      const own = bench.env();
      const other = codex.setup({ url: bench.model.url, home: own['HOME'] ?? '' });
      for (const [path, content] of Object.entries(other.files)) {
        const file = join(own['HOME'] ?? '', path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, content);
      }
      const env = { ...own, ...other.env, [binVariable('codex')]: installedBin('codex') ?? '' };
      const auditor = `codex/${codex.model ?? ''}`;
      const submit = ['jobs', 'submit', '--implementer', choice(bench), '--auditor', auditor, '--cwd', folder];
      const argv = [...submit, '--json', '--timeout', '60s', '--prompt', 'SCENARIO:write made.txt first'];
      const { status, stdout, stderr } = await runProgramLater(
        process.execPath,
        [join(bench.root, 'bin', 'turnout.js'), ...argv],
        { cwd: bench.folder, env, timeout: 120_000 },
      );
      const said: Said = { code: status, stdout, stderr };
      const job = jobOf(said);
      bench.check('accepted', said.code === 0 && job.state === 'accepted', described(said));
      const audit = job.audits?.at(-1);
      bench.check('by', audit?.verdict === 'accept' && audit.by?.startsWith('codex') === true, JSON.stringify(audit));
      const asked = bench.model.log.entries.filter(({ asked: one }) =>
        one?.said.some(({ text }) => text.includes('Judge a change that another agent made')),
      );
      bench.check('asked', asked.length > 0, 'the auditor asked no model');
    },
  },
];
