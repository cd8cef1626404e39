// limit: 90s
// The commands of docs/cluster.md, as a reader types them, on an engine of the test's own.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import Serve from '../../src/commands/agent/serve.js';
import { runProgramLater } from '../run-program.js';
import { freePort, hasRedis, SKIPPED, serveRedis } from './engines.js';

const text = readFileSync('docs/cluster.md', 'utf8');

test('the commands of the page work', async () => {
  if (!hasRedis()) return console.log(SKIPPED);
  const served = await serveRedis();
  const folder = mkdtempSync(join(tmpdir(), 'cluster-docs-'));
  const port = await freePort();
  mkdirSync(join(folder, 'bin'));
  writeFileSync(
    join(folder, 'bin', 'turnout'),
    `#!/bin/sh\nexec '${process.execPath}' '${resolve('bin/turnout.js')}' "$@"\n`,
  );
  chmodSync(join(folder, 'bin', 'turnout'), 0o755);
  const [begin = '', use = ''] = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((found) => found[1] ?? '');
  const script = [
    "trap 'kill $(jobs -p); wait' EXIT",
    // The packages are here already.
    begin.replace(/^npm install.*$/m, ''),
    `until curl -s http://127.0.0.1:9090/v1/agent/version >/dev/null; do sleep 0.1; done`,
    use,
  ]
    .join('\n')
    .replaceAll('redis://127.0.0.1:6379', served.url)
    .replaceAll('9090', String(port));
  const env = {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
    HOME: folder,
    XDG_STATE_HOME: folder,
  };
  const ran = await runProgramLater('bash', ['-e', '-c', script], { cwd: folder, env, timeout: 60_000 });
  await served.stop();
  rmSync(folder, { recursive: true, force: true });
  assert.match(ran.stdout, /"text":"hi"/, ran.stderr);
  assert.match(ran.stdout, /w1 {2}worker/);
  assert.match(ran.stdout, /^ok: .*2 members, nothing is wrong$/m);
  assert.is(ran.status, 0);
});

test('every flag that the page names exists', () => {
  const named = [...text.matchAll(/^\| `--([a-z-]+)/gm)].map((found) => found[1] ?? '');
  assert.ok(named.length > 5);
  for (const flag of named) assert.ok(flag in Serve.flags, flag);
});
test.run();
