import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

import type { Probed } from '../../src/discovery/probe.js';
import { probeVersion } from '../../src/discovery/probe.js';
import type { Runner } from '../../src/runner/runner.js';
import type { Machine } from './lay-out.js';
import { program, sample, withMachine } from './lay-out.js';

/** Long enough for any program that answers, on a loaded machine. */
const PATIENT = 30_000;

interface Asked {
  script: string;
  runner?: Partial<Runner>;
  env?: NodeJS.ProcessEnv;
  limit?: number;
  after?: (machine: Machine, probed: Probed) => void | Promise<void>;
}

async function probe({ script, runner, env = {}, limit = PATIENT, after }: Asked): Promise<Probed> {
  let probed: Probed = { version: null, note: null };
  await withMachine({ 'bin/turnout-sample': program(`#!/bin/sh\n${script}\n`) }, async (m) => {
    const path = m.at('bin/turnout-sample');
    const found = { path, args: [], found: path, real: path, version: null, variant: null };
    probed = await probeVersion(sample(runner), found, m.places({ env: { VOLTA_OUT: m.root, ...env } }), limit);
    await after?.(m, probed);
  });
  return probed;
}

test('the first line that holds a version tells it, whatever the exit code', async () => {
  const probed = await probe({
    script: 'echo "warning: old terminal"; echo "sample-cli v1.2.3-rc.1 (abc)"; echo 9.9.9; exit 2',
  });
  assert.equal(probed, { version: '1.2.3-rc.1', note: null });
});

test("the runner's arguments and pattern are used, again and again also when the pattern is a global one", async () => {
  const runner = { version: { args: ['version'], pattern: /release (\S+)/g } };
  const script = '[ "$1" = version ] && echo "7.7.7 is release 3.1.0"';
  assert.is((await probe({ script, runner })).version, '3.1.0');
  assert.is((await probe({ script, runner })).version, '3.1.0');
});

test('a program that does not answer in time has no version, and its whole process tree is gone', async () => {
  await probe({
    script: 'echo $$ > "$VOLTA_OUT/leader"; sleep 600 & echo $! > "$VOLTA_OUT/child"; wait',
    limit: 1500,
    after(m, probed) {
      assert.is(probed.version, null);
      assert.match(probed.note ?? '', 'no version within');
      for (const name of ['leader', 'child']) assert.not.ok(runs(readFileSync(m.at(name), 'utf8').trim()), name);
    },
  });
});

/** A zombie that nobody has reaped yet does not run. */
function runs(pid: string): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

test('a version that was printed counts although the program does not end', async () => {
  assert.is((await probe({ script: 'echo 4.5.6; exec sleep 600', limit: 3000 })).version, '4.5.6');
});

test('a program that prints nothing, or does not start, is told in a note', async () => {
  assert.is((await probe({ script: 'exit 0' })).note, 'printed no version (exit 0)');
  const broken = await probe({ script: 'echo "at x:1" >&2; echo "SyntaxError: no such thing" >&2; echo >&2; exit 3' });
  assert.is(broken.note, 'printed no version (exit 3): SyntaxError: no such thing');
  const gone = {
    path: '/nonexistent/agent',
    args: [],
    found: '/nonexistent/agent',
    real: '',
    version: null,
    variant: null,
  };
  await withMachine({}, async (m) => {
    const probed = await probeVersion(sample(), gone, m.places());
    assert.is(probed.version, null);
    assert.match(probed.note ?? '', 'could not be started');
  });
});

test('it gets a scratch home and working folder, no stdin, no key of the user, and update checks off', async () => {
  await probe({
    script: 'env > "$VOLTA_OUT/env"; pwd > "$VOLTA_OUT/pwd"; cat; touch "$HOME/left" here; echo 1.0.0',
    env: {
      ANTHROPIC_API_KEY: 'sk-secret',
      MISE_GITHUB_TOKEN: 'sk-secret',
      HTTP_PROXY: 'http://proxy',
      HOME: '/home/u',
      LANG: 'C',
    },
    runner: { version: { args: [], pattern: /(.+)/, env: { SAMPLE_NO_UPDATE: 'yes' } } },
    after(m, probed) {
      assert.is(probed.version, '1.0.0');
      const env = readFileSync(m.at('env'), 'utf8');
      const home = /^HOME=(.+)$/m.exec(env)?.[1] ?? '';
      assert.match(home, tmpdir());
      assert.not.ok(existsSync(home), 'the scratch home is removed');
      for (const name of ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'TMPDIR'])
        assert.match(env, new RegExp(`^${name}=${tmpdir()}`, 'm'));
      assert.match(env, /^CI=1$/m);
      assert.match(env, /^SAMPLE_NO_UPDATE=yes$/m);
      assert.match(env, /^LANG=C$/m);
      assert.not.match(env, 'sk-secret');
      assert.match(env, new RegExp(`^PATH=${m.at('bin')}:`, 'm'));
      assert.is.not(readFileSync(m.at('pwd'), 'utf8').trim(), m.at('project'));
    },
  });
});

test.run();
