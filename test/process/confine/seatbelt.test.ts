import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { seatbeltProfile } from '../../../src/process/confine/seatbelt.js';
import type { Walls } from '../../../src/process/confine/walls.js';
import { decides } from './seatbelt-rules.js';
import { walls } from './walled.js';

const test = suite('profile for macOS');

const HOME = '/Users/ann';
const TEMP = '/private/var/folders/x/turn/tmp';
const mac = (changes: Partial<Walls> = {}): Walls =>
  walls(`${HOME}/work`, {
    home: HOME,
    empty: [`${HOME}/.cache/agent`],
    seen: [
      { at: `${HOME}/.agent/sessions`, from: `${HOME}/.agent/sessions`, writable: true },
      { at: `${HOME}/.agent/sessions/rules`, from: `${HOME}/.agent/sessions/rules`, writable: false },
    ],
    closed: [{ at: `${HOME}/.ssh`, folder: true }],
    git: [`${HOME}/work/.git`, `${HOME}/work/deep/in/.git`],
    ...changes,
  });

test('is what was looked at line by line', () => {
  const small = mac({ seen: [], git: [`${HOME}/work/.git`], empty: [], network: 'none' });
  assert.is(
    seatbeltProfile(small, TEMP),
    `(version 1)
(deny default)
(allow process-exec process-fork)
(allow signal process-info* (target same-sandbox))
(allow sysctl-read)
(allow file-read*)
(allow file-write*
  (subpath "/Users/ann/work")
  (subpath "/private/var/folders/x/turn/tmp")
  (literal "/dev/null")
  (literal "/dev/zero")
  (literal "/dev/tty")
  (literal "/dev/dtracehelper"))
(deny file-write*
  (subpath "/Users/ann/work/.git")
  (subpath "/users/ann/work/.git"))
(deny file-write-unlink file-write-create
  (literal "/Users/ann/work/.git")
  (literal "/users/ann/work/.git")
  (literal "/Users/ann/work")
  (literal "/users/ann/work"))
(deny file-read* file-write*
  (subpath "/Users/ann/.ssh")
  (subpath "/users/ann/.ssh"))
(allow system-socket (socket-domain AF_UNIX))
(allow mach-lookup
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership")
  (global-name "com.apple.bsd.dirhelper")
  (global-name "com.apple.logd")
  (global-name "com.apple.system.notification_center")
  (global-name "com.apple.SecurityServer")
  (global-name "com.apple.securityd.xpc")
  (global-name "com.apple.trustd.agent"))
`,
  );
});

test('what may be written is the folder, the sessions and the temporary folder, and nothing in .git', () => {
  const profile = seatbeltProfile(mac(), TEMP);
  const writes = (path: string) => decides(profile, 'file-write-data', path);
  for (const path of [`${HOME}/work/a`, `${HOME}/.agent/sessions/1.json`, `${TEMP}/x`, '/dev/null'])
    assert.ok(writes(path), path);
  for (const path of [
    `${HOME}/work2`,
    `${HOME}/.zshrc`,
    `${HOME}/.agent/settings.json`,
    `${HOME}/.agent/sessions/rules/x`,
    `${HOME}/.cache/agent/x`,
    `${HOME}/work/.git/config`,
    `${HOME}/work/deep/in/.git/hooks/x`,
    `${HOME}/.ssh/id`,
    '/private/tmp/x',
    '/etc/hosts',
    '/dev/disk0',
  ])
    assert.not.ok(writes(path), path);
  const reading = seatbeltProfile(mac({ writes: false }), TEMP);
  assert.not.ok(decides(reading, 'file-write-data', `${HOME}/work/a`));
});

test('neither .git nor a folder above it can be moved out of its rule', () => {
  const profile = seatbeltProfile(mac(), TEMP);
  for (const path of ['work/.git', 'work/deep', 'work/deep/in', 'work/deep/in/.git', '.agent/sessions/rules']) {
    assert.not.ok(decides(profile, 'file-write-unlink', `${HOME}/${path}`), path);
  }
  assert.ok(decides(profile, 'file-write-unlink', `${HOME}/work/other`));
});

test('secrets stay closed where the folder lies around them; a program that lies in a closed folder can be read', () => {
  const around = seatbeltProfile(mac({ cwd: HOME, git: [] }), TEMP);
  assert.not.ok(decides(around, 'file-read-data', `${HOME}/.ssh/id`));
  assert.not.ok(decides(around, 'file-write-data', `${HOME}/.ssh/id`));
  const inside = seatbeltProfile(mac({ ground: [`${HOME}/.ssh/bin`] }), TEMP);
  assert.ok(decides(inside, 'file-read-data', `${HOME}/.ssh/bin/agent`));
  assert.not.ok(decides(inside, 'file-write-data', `${HOME}/.ssh/bin/agent`));
});

test('a closed network lets only the socket of the turn through', () => {
  const turn = { at: '/private/var/folders/x/turn', writable: false };
  assert.not.match(seatbeltProfile(mac({ network: 'none', turn }), TEMP), /\(allow network\*\)/);
  assert.match(
    seatbeltProfile(mac({ network: 'none', turn }), TEMP),
    /remote unix-socket \(subpath "\/private\/var\/folders\/x\/turn"\)/,
  );
  assert.match(seatbeltProfile(mac(), TEMP), /\(allow network\*\)/);
});

test('a path that a profile can not hold is refused, and a quotation mark ends no string', () => {
  assert.throws(() => seatbeltProfile(mac({ cwd: '/a\nb' }), TEMP), /can't hold this path/);
  assert.throws(() => seatbeltProfile(mac({ cwd: `/${'x'.repeat(1100)}` }), TEMP), /can't hold this path/);
  const cwd = '/a") (allow file-write* (subpath "/';
  assert.not.ok(decides(seatbeltProfile(mac({ cwd, git: [] }), TEMP), 'file-write-data', '/etc/x'));
});

if (process.platform === 'darwin') {
  test('it holds on this Mac', () => {
    const folder = realpathSync(mkdtempSync(join(homedir(), '.turnout-test-')));
    const temp = realpathSync(mkdtempSync(join(tmpdir(), 'turnout-test-')));
    const [cwd, git] = [join(folder, 'work'), join(folder, 'work', '.git')];
    mkdirSync(git, { recursive: true });
    writeFileSync(join(folder, 'secret'), 'a secret');
    try {
      const profile = seatbeltProfile(
        walls(cwd, { git: [git], closed: [{ at: join(folder, 'secret'), folder: false }] }),
        temp,
      );
      const script = 'echo x > in; echo x > ../out; echo x > .git/config; mv .git g; cat ../secret; true';
      const { stdout, status } = spawnSync('/usr/bin/sandbox-exec', ['-p', profile, '/bin/sh', '-c', script], {
        cwd,
        encoding: 'utf8',
      });
      assert.is(status, 0);
      assert.ok(existsSync(join(cwd, 'in')));
      assert.not.ok(existsSync(join(folder, 'out')));
      assert.not.ok(existsSync(join(git, 'config')));
      assert.ok(existsSync(git));
      assert.not.match(stdout, /a secret/);
    } finally {
      for (const one of [folder, temp]) rmSync(one, { recursive: true, force: true });
    }
  });
} else console.log('SKIPPED: no sandbox-exec here; the profile is held against a reader of its rules (macOS)');

test.run();
