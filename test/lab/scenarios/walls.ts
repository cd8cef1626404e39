import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBwrap } from '../../../src/process/confine/bwrap.js';
import { type Bench, describe, type Outcome } from '../harness/bench.js';
import type { Scenario } from './scenario.js';

const walled = process.platform === 'linux' && findBwrap() !== null;

/** Twelve ways to leave something outside the folder: what a shell is asked to write, and where it would be found. */
function ways(bench: Bench, name: string): { script: string; found: string[] } {
  const outside = bench.folder;
  const home = bench.env()['HOME'] ?? '';
  const sibling = join(outside, 'sibling');
  mkdirSync(sibling, { recursive: true });
  writeFileSync(join(outside, `keep-${name}`), 'as it was');
  const roads: [written: string, found: string][] = [
    [join(outside, `plain-${name}`), join(outside, `plain-${name}`)],
    [`../up-${name}`, join(outside, `up-${name}`)],
    [join(sibling, name), join(sibling, name)],
    [`out/linked-${name}`, join(sibling, `linked-${name}`)],
    ['nowhere', join(sibling, 'dangling')],
    [`/proc/self/root${outside}/proc-${name}`, join(outside, `proc-${name}`)],
    [join(home, `.rc-${name}`), join(home, `.rc-${name}`)],
    [join(home, '.local', 'state', 'turnout', name), join(home, '.local', 'state', 'turnout', name)],
    [`/tmp/${name}`, `/tmp/${name}`],
    [`/var/tmp/${name}`, `/var/tmp/${name}`],
    [`/dev/shm/${name}`, `/dev/shm/${name}`],
  ];
  const writes = roads.map(([path]) => `echo x > ${path}`).join('; ');
  const moved = join(outside, `moved-${name}`);
  const script = `echo x > inside-${name}; ${writes}; mv ${join(outside, `keep-${name}`)} ${moved}; echo tried`;
  return { script, found: [...roads.map(([, path]) => path), moved] };
}

function prepared(bench: Bench): string {
  const work = join(bench.folder, 'work');
  mkdirSync(work, { recursive: true });
  const link = (target: string, name: string): void => {
    if (!readdirSync(work).includes(name)) symlinkSync(target, join(work, name));
  };
  link(join(bench.folder, 'sibling'), 'out');
  link(join(bench.folder, 'sibling', 'dangling'), 'nowhere');
  return work;
}

const unsupported = (outcome: Outcome): boolean => outcome.first('error')?.code === 'unsupported';

/** What is left outside after a turn that tried them all, and whether something was left inside. */
async function probe(
  bench: Bench,
  mode: string,
  flags: readonly string[],
): Promise<{ left: string[]; inside: boolean; outcome: Outcome }> {
  const work = prepared(bench);
  const name = `probe-${mode}-${process.pid}-${bench.recipe.runtime}`;
  const { script, found } = ways(bench, name);
  const outcome = await bench.turn(`shell ${script}`, { flags });
  const left = found.filter((path) => existsSync(path));
  for (const path of left) rmSync(path, { force: true });
  return { left, inside: existsSync(join(work, `inside-${name}`)), outcome };
}

export const wallScenarios: readonly Scenario[] = [
  {
    name: 'walls',
    title:
      'Twelve ways to write outside the folder at each of five modes: none leads out but at full, or the mode is refused',
    needs: 'exec-confine',
    async run(bench) {
      if (!walled) return;
      for (const mode of ['none', 'scoped', 'read', 'edit']) {
        const { left, inside, outcome } = await probe(bench, mode, ['--access', mode, '--confine', 'os']);
        bench.check(mode, left.length === 0, `written outside: ${left.join(' ')}`);
        bench.check('kept', mode === 'edit' || !inside, `a file was written in the folder at ${mode}`);
        bench.check(
          'end',
          outcome.code === 0 || (mode !== 'edit' && unsupported(outcome)),
          `${mode}: ${describe(outcome)}`,
        );
        if (mode !== 'edit' || unsupported(outcome)) continue;
        const keeper = outcome.first('start')?.['confinement'];
        bench.check(
          'told',
          /"os":"bwrap"/.test(JSON.stringify(keeper ?? null)),
          `start says ${JSON.stringify(keeper)}`,
        );
      }
      const open = await probe(bench, 'full', ['--access', 'full', '--allow-root']);
      bench.check('control', open.left.length >= 11, `without walls only these were written: ${open.left.join(' ')}`);
    },
  },
  {
    name: 'walls-resume',
    title: 'A session goes on from inside the confinement to outside and back; two turns at once share its folder',
    needs: 'exec-confine',
    async run(bench) {
      if (!walled) return;
      const first = await bench.turn('text first-of-three', { flags: ['--confine', 'os'] });
      bench.check('exit', first.code === 0, describe(first));
      const id = first.first('session')?.session_id;
      if (typeof id !== 'string') return;
      for (const confine of ['none', 'os']) {
        const next = await bench.turn('remember', { flags: ['--confine', confine, '--resume', id] });
        const refused = next.first('error')?.code === 'unsupported' && confine === 'none';
        bench.check('goes-on', refused || next.code === 0, `${confine}: ${describe(next)}`);
        bench.check(
          'remembers',
          refused || next.text.includes('first-of-three'),
          `${confine}: ${JSON.stringify(next.text.slice(0, 200))}`,
        );
        if (refused) return;
      }
      const both = await Promise.all(
        ['one', 'two'].map((cwd) => bench.turn('text', { flags: ['--confine', 'os'], cwd })),
      );
      for (const turn of both) bench.check('at-once', turn.code === 0, describe(turn));
    },
  },
  {
    name: 'walls-ends',
    title: 'Inside the confinement nothing outlives a turn, whatever it clears or forks; without it something does',
    needs: 'exec-confine',
    async run(bench) {
      if (!walled) return;
      for (const [mode, seconds] of [
        ['edit', `97.${process.pid}`],
        ['full', `98.${process.pid}`],
      ] as const) {
        const flags = mode === 'edit' ? ['--access', 'edit', '--confine', 'os'] : ['--access', 'full', '--allow-root'];
        const outcome = await bench.turn(`shell (setsid env -i sleep ${seconds} >/dev/null 2>&1 &) ; echo started`, {
          flags,
        });
        const left = sleeping(seconds);
        for (const pid of left) process.kill(pid, 'SIGKILL');
        if (mode === 'edit') bench.check('gone', left.length === 0, `left running: ${left.join(' ')}`);
        bench.check('exit', outcome.code === 0, describe(outcome));
      }
    },
  },
];

/** Processes of that command line. */
function sleeping(seconds: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readFileSync(`/proc/${pid}/cmdline`, 'latin1') === `sleep\0${seconds}\0`;
      } catch {
        return false;
      }
    });
}
