// limit: 600s
// Random work in copies, and everything a user owns afterwards. TURNOUT_RANDOM_JOBS=200 runs as many; TURNOUT_SEED repeats a run.
import { randomInt } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createWorkspace } from '../../src/workspace/create.js';
import { WorkspaceError } from '../../src/workspace/failure.js';
import { takePatch } from '../../src/workspace/patch.js';
import { removeFiles } from '../../src/workspace/remove.js';
import { type User, withUser } from './lay-out.js';

const JOBS = Number(process.env['TURNOUT_RANDOM_JOBS'] ?? 10);
const SEED = Number(process.env['TURNOUT_SEED'] ?? randomInt(1 << 30));

/** A small generator (mulberry32), so that a seed repeats a run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Act = (tree: string, one: User, next: (below: number) => number) => void;

const ACTS: readonly Act[] = [
  (tree, _, next) => writeFileSync(join(tree, `f${next(5)}.txt`), `${next(1000)}\n`),
  (tree) => rmSync(join(tree, 'src/b.txt'), { force: true }),
  (tree) => writeFileSync(join(tree, 'src/a.txt'), Buffer.from([0, 1, 2, 255])),
  (tree) => symlinkSync('src/a.txt', join(tree, `link${Date.now()}`)),
  (tree, one) => one.gitIn(tree, 'commit', '--quiet', '--allow-empty', '-am', 'agent'),
  (tree, one) => one.gitIn(tree, 'update-ref', 'refs/heads/main', 'HEAD'),
  (tree, one) => one.gitIn(tree, 'config', 'core.sshCommand', 'false'),
  (tree, one) => one.gitIn(tree, 'stash', 'push', '--quiet', '--include-untracked'),
  (tree, one) => one.gitIn(tree, 'gc', '--quiet', '--prune=now'),
  (tree) => rmSync(join(tree, '.git'), { recursive: true, force: true }),
  (tree) => writeFileSync(join(tree, '.gitattributes'), '* filter=evil diff=evil\n'),
  (tree, one) => {
    const hook = join(tree, '.git', 'hooks', 'post-commit');
    mkdirSync(join(tree, '.git', 'hooks'), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ntouch ${one.repo}/escaped\n`);
    chmodSync(hook, 0o755);
  },
  (tree, one) => {
    mkdirSync(join(tree, 'nested'), { recursive: true });
    one.gitIn(join(tree, 'nested'), 'init', '--quiet');
  },
];

/** An act that is not possible any more (no repository is left, say) is part of the game. */
function attempt(act: Act, tree: string, one: User, next: (below: number) => number): void {
  try {
    act(tree, one, next);
  } catch {
    // The agent's command failed; what it did before that stays.
  }
}

test(`${JOBS} random jobs leave the user's repository bit for bit as it was`, () =>
  withUser(async (one) => {
    const next = numbers(SEED);
    const before = one.fingerprint();
    for (let job = 0; job < JOBS; job++) {
      const { record, cwd } = await createWorkspace({ cwd: one.repo, isolation: 'clone', env: one.env, now: job });
      for (let step = 0; step < 1 + next(8); step++) attempt(ACTS[next(ACTS.length)] ?? (() => {}), cwd, one, next);
      await takePatch(record, one.env, job).catch((error: unknown) => {
        if (!(error instanceof WorkspaceError && error.reason === 'refused-change')) throw error;
      });
      await removeFiles(record, one.env, job);
      assert.equal(one.fingerprint(), before, `job ${job} of seed ${SEED}`);
    }
  }));

test.run();
