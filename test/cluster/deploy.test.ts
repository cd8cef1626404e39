// What deploy/ offers is checked by the tools that will read it, as far as they are here.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import Serve from '../../src/commands/agent/serve.js';
import { runProgram } from '../run-program.js';

const folder = join(process.env['TURNOUT_ROOT'] ?? process.cwd(), 'deploy');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** Every flag of a command line is one that `agent serve` has. */
function checkFlags(words: readonly string[]): void {
  const flags = words.flatMap((word) => /^--([a-z-]+)$/.exec(word)?.[1] ?? []);
  assert.ok(flags.includes('role'));
  for (const flag of flags) assert.ok(flag in Serve.flags, `agent serve has no --${flag}`);
}

test('the Dockerfile has no faults, pins its base, has an init and does not run as root', () => {
  const text = read('Dockerfile');
  assert.equal(validate(text), []);
  assert.match(text, /^FROM node:22-bookworm-slim$/m);
  assert.match(text, /^ENTRYPOINT \["tini", "-g", "--", "turnout", "agent", "serve"\]$/m);
  assert.is(/^USER (.*)$/gm.exec(text)?.[1], 'node');
});

test('the compose file names only what it defines, and no secret', () => {
  const compose = parse(read('compose.yaml'), { strict: true, uniqueKeys: true });
  const { services, volumes, secrets } = compose;
  for (const [name, service] of Object.entries<Record<string, unknown>>(services)) {
    assert.ok('image' in service !== 'build' in service, name);
    for (const one of [service['secrets'] ?? []].flat()) assert.ok(String(one) in secrets, String(one));
    for (const one of [service['volumes'] ?? []].flat()) assert.ok((String(one).split(':')[0] ?? '') in volumes);
    for (const one of Object.keys(service['depends_on'] ?? {})) assert.ok(one in services, one);
    assert.not('environment' in service, `${name}: secrets are files`);
    if ('build' in service) {
      assert.is(service['init'], true, name);
      checkFlags([service['command'] ?? []].flat().map(String));
    }
  }
  assert.match(String(services.engine.command), /--maxmemory-policy noeviction/);
  const there = runProgram('docker', ['compose', 'version']).status === 0;
  if (!there) return console.log('SKIPPED: docker compose is not here to read its file');
  const ran = runProgram('docker', ['compose', '-f', join(folder, 'compose.yaml'), 'config', '--quiet']);
  assert.is(ran.status, 0, ran.stderr);
});

test('systemd finds no fault in the units, and the flags in them exist', () => {
  const units = readdirSync(join(folder, 'systemd'));
  assert.equal(units.sort(), ['turnout-front.service', 'turnout-worker.service']);
  for (const unit of units) {
    const [, line = ''] = /^ExecStart=\/usr\/bin\/env turnout agent serve (.*)$/m.exec(read(`systemd/${unit}`)) ?? [];
    checkFlags(line.split(' '));
  }
  if (runProgram('systemd-analyze', ['--version']).status !== 0) return console.log('SKIPPED: systemd is not here');
  const scratch = mkdtempSync(join(tmpdir(), 'units-'));
  cpSync(join(folder, 'systemd'), scratch, { recursive: true });
  const ran = runProgram('systemd-analyze', ['verify', '--man=no', ...units.map((unit) => join(scratch, unit))]);
  rmSync(scratch, { recursive: true });
  const faults = ran.stderr.split('\n').filter((line) => line.includes('turnout-'));
  assert.equal([ran.status, faults], [0, []]);
});

test('secrets of a deployment are not kept', () => {
  assert.match(read('.gitignore'), /^secrets\/$/m);
  assert.not(existsSync(join(folder, 'secrets')));
});
test.run();
