import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf } from '../../run-program.js';
import { type Bench, describe } from '../harness/bench.js';
import type { Scenario } from './scenario.js';

/** A repository with one commit, which changes the named file. */
function repository(bench: Bench, name: string, file: string): string {
  const folder = join(bench.folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), 'one\n');
  const as = ['-c', 'user.name=lab', '-c', 'user.email=lab@localhost'];
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-q', '-m', `adds ${file}`],
  ])
    outputOf('git', [...as, ...args], { cwd: folder, stdio: 'ignore' });
  return folder;
}

const LAST_COMMIT = 'shell git show --name-only --format=%s HEAD';
const FULL = ['--access', 'full', '--allow-root'];

export const locatedScenarios: readonly Scenario[] = [
  {
    name: 'last-commit',
    title: 'The default mode answers which files the last commit changed',
    async run(bench) {
      repository(bench, 'work', 'changed-lately.txt');
      const outcome = await bench.turn(LAST_COMMIT);
      bench.check('exit', outcome.code === 0, describe(outcome));
      bench.check('told', outcome.text.includes('changed-lately.txt'), outcome.text.slice(0, 300));
    },
  },
  {
    name: 'git-dir',
    title: "A launcher's repository variables and PWD don't reach the agent: it works in its own folder",
    async run(bench) {
      repository(bench, 'work', 'ours.txt');
      const other = repository(bench, 'other', 'theirs.txt');
      const env = {
        GIT_DIR: join(other, '.git'),
        GIT_WORK_TREE: other,
        GIT_INDEX_FILE: join(other, '.git', 'index'),
        PWD: other,
      };
      const outcome = await bench.turn(LAST_COMMIT, { flags: FULL, env });
      bench.check('exit', outcome.code === 0, describe(outcome));
      bench.check('ours', outcome.text.includes('ours.txt'), outcome.text.slice(0, 300));
      const where = await bench.turn('shell echo "$PWD"', { flags: FULL, env });
      bench.check('pwd', where.text.includes(join(bench.folder, 'work')), where.text.slice(0, 300));
    },
  },
  {
    name: 'link-resume',
    title: 'A session that was begun in a folder reached by a link goes on in the folder itself',
    async run(bench) {
      mkdirSync(join(bench.folder, 'real'));
      symlinkSync('real', join(bench.folder, 'link'));
      const first = await bench.turn('text', { cwd: 'link' });
      bench.check('exit', first.code === 0, describe(first));
      const id = String(first.first('session')?.session_id ?? '');
      bench.check('session', id !== '', 'it told no session id');
      if (id === '') return;
      const second = await bench.turn('text', { cwd: 'real', flags: ['--resume', id] });
      bench.check('resumed', second.code === 0, describe(second));
      bench.check('same', second.first('session')?.session_id === id, describe(second));
    },
  },
  {
    name: 'credential',
    title: 'start says which credential will be used, never its value',
    async run(bench) {
      const known = new Set(['api_key', 'login', 'cloud', 'none', 'unknown']);
      for (const loggedOut of [false, true]) {
        const start = (await bench.turn('text', { loggedOut, cwd: loggedOut ? 'out' : 'in' })).first('start');
        const credential: unknown = start?.credential;
        const kind = credential instanceof Object && 'kind' in credential ? String(credential.kind) : 'absent';
        bench.check('kind', known.has(kind), JSON.stringify(credential));
        bench.check('masked', !/sk-|AIza/.test(JSON.stringify(credential)), 'a key is in it');
        if (loggedOut) bench.check('logged-out', kind === 'none' || kind === 'unknown', kind);
        else bench.check('logged-in', kind !== 'none', kind);
      }
    },
  },
];
