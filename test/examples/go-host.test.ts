// limit: 240s
/** The host in Go, written to the rules of the protocol alone, works with us under the name that it looks for. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { TURNOUT } from '../contract/cli.js';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'go-host-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));
const hasGo = spawnSync('go', ['version']).status === 0;
if (!hasGo) console.log('SKIPPED: there is no go on this machine');

(hasGo ? test : test.skip)('the Go host passes its smoke test', () => {
  const made = spawnSync(process.execPath, [TURNOUT, 'persona', 'install', 'monomind', folder], { encoding: 'utf8' });
  assert.is(made.status, 0, made.stderr);
  const ran = spawnSync('go', ['test', '-count=1', './...'], {
    cwd: join(root, 'examples', 'hosts', 'go'),
    env: { ...process.env, AGENT_HOST_BIN: join(folder, 'monomind'), GOFLAGS: '-mod=mod', GOPROXY: 'off' },
    encoding: 'utf8',
    timeout: 230_000,
  });
  assert.is(ran.status, 0, `${ran.stdout}\n${ran.stderr}`);
  assert.not.match(ran.stdout, /no test files|SKIPPED/);
});

test.run();
