import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findBwrap } from '../../../src/process/confine/bwrap.js';
import { probe } from '../../../src/process/confine/probe.js';
import { canConfine } from './walled.js';

const test = suite('probe of the confinement');

let folder = '';
test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnout-bwrap-'));
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** A bubblewrap of our own making. */
function fake(name: string, script: string) {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return findBwrap([path]);
}

async function why(name: string, script: string): Promise<string> {
  const probed = await probe({ nests: false, bwrap: fake(name, script) });
  return probed.ok ? 'ok' : probed.why;
}

test('where it is not installed, the words say how to install it', async () => {
  assert.is(findBwrap([join(folder, 'none')]), null);
  const probed = await probe({ nests: false, bwrap: null });
  assert.ok(!probed.ok && /apt install bubblewrap/.test(probed.why) && /--confine none/.test(probed.why));
});

for (const [line, meaning] of [
  [
    'bwrap: No permissions to create new namespace, likely because the kernel does not allow it',
    /forbids user namespaces/,
  ],
  ['bwrap: setting up uid map: Permission denied', /AppArmor profile/],
  ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', /AppArmor profile/],
  ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", /without a \/proc of its own/],
  [
    'bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)',
    /already runs inside/,
  ],
  ['bwrap: Unknown option --disable-userns', /0\.8 or newer/],
  ['bwrap: something new', /does not work here.*something new/],
] as const) {
  test(`says what "${line.slice(7, 40)}…" means, and quotes it`, async () => {
    const text = await why(`fails-${line.length}-${meaning.source.length}`, `echo "${line}" >&2; exit 1`);
    assert.match(text, meaning);
    assert.ok(text.includes(line), text);
    assert.match(text, /--confine none/);
  });
}

test('one that lets everything through is found out by the witness', async () => {
  const open = 'while [ "$1" != -- ]; do shift; done; shift;';
  assert.match(await why('outlived', `${open} exec "$@"`), /outlives it/);
  const text = await why('open', `${open} "$@" >"$0.out" 2>/dev/null 3>&-; cat "$0.out"`);
  assert.match(text, /does not hold here/);
  assert.match(text, /outside could be written/);
  assert.match(text, /read-only folder could be written/);
});

test('one that runs nothing does not pass', async () => {
  assert.match(await why('idle', 'exit 0'), /could not be/);
});

test('the real one passes, with and without sandboxes inside', async () => {
  if (!canConfine()) return;
  assert.ok((await probe({ nests: false })).ok);
  assert.ok((await probe({ nests: true })).ok);
});

test.run();
