// limit: 120s
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gitFolders } from '../../../src/process/confine/git-folders.js';
import { canConfine, place, sh, walls } from './walled.js';

const test = suite('walls of the operating system');

if (canConfine()) {
  test('what may be written is the working directory, by every road', () => {
    const here = place();
    try {
      const { outside, cwd } = here;
      symlinkSync(outside, join(cwd, 'out'));
      symlinkSync(join(outside, 'dangling'), join(cwd, 'nowhere'));
      mkdirSync(join(outside, 'sibling'));
      const roads = [
        `${outside}/plain`,
        `${outside}/sibling/new`,
        'out/by-link',
        'nowhere',
        '../up',
        './a/../../up-again',
        `/proc/self/root${outside}/by-proc`,
        `/proc/1/root${outside}/by-init`,
        '/etc/turnout-test',
        '/usr/turnout-test',
        '/sys/kernel/turnout-test',
      ];
      const script = `mkdir -p a; ${roads.map((road) => `echo x > '${road}'`).join('; ')}; echo x > inside`;
      const before = readdirSync(outside);
      sh(script, { cwd, in: walls(cwd) });
      assert.equal(readdirSync(outside), before);
      assert.ok(existsSync(join(cwd, 'inside')));
      assert.not.ok(existsSync('/etc/turnout-test'));
      // The same script without walls gets out.
      sh(script.replaceAll(/echo x > '\/(etc|usr|sys)[^;]*;/g, ''), { cwd });
      assert.ok(readdirSync(outside).length > before.length);
    } finally {
      here.remove();
    }
  });

  test('temporary folders and shared memory are private and gone at the end', () => {
    const here = place();
    try {
      const name = `turnout-test-${process.pid}`;
      const script = `for f in /tmp /var/tmp /dev/shm /run; do echo x > $f/${name} && echo wrote $f; done`;
      const { out } = sh(script, { cwd: here.cwd, in: walls(here.cwd) });
      assert.match(out, /wrote \/tmp/);
      for (const folder of ['/tmp', '/var/tmp', '/dev/shm', '/run']) {
        assert.not.ok(existsSync(join(folder, name)), folder);
      }
    } finally {
      here.remove();
    }
  });

  test('at a mode that only reads nothing is written in the working directory either', () => {
    const here = place();
    try {
      const script = 'echo x > made; mkdir folder; rm -f kept; echo x >> kept';
      writeFileSync(join(here.cwd, 'kept'), 'as it was');
      sh(script, { cwd: here.cwd, in: walls(here.cwd, { writes: false }) });
      assert.equal(readdirSync(here.cwd), ['kept']);
      assert.equal(readFileSync(join(here.cwd, 'kept'), 'utf8'), 'as it was');
      sh(script, { cwd: here.cwd });
      assert.ok(existsSync(join(here.cwd, 'made')));
    } finally {
      here.remove();
    }
  });

  test('a hard link that was there before is the known gap; a new one can not be made', () => {
    const here = place();
    try {
      writeFileSync(join(here.outside, 'target'), 'old');
      writeFileSync(join(here.outside, 'linked'), 'old');
      linkSync(join(here.outside, 'linked'), join(here.cwd, 'before'));
      sh('ln ../target new; echo changed > before', { cwd: here.cwd, in: walls(here.cwd) });
      assert.not.ok(existsSync(join(here.cwd, 'new')));
      assert.equal(readFileSync(join(here.outside, 'target'), 'utf8'), 'old');
      assert.equal(readFileSync(join(here.outside, 'linked'), 'utf8'), 'changed\n');
    } finally {
      here.remove();
    }
  });

  test('root can neither remount, unmount nor move what is in its way', () => {
    const here = place();
    try {
      const git = join(here.cwd, '.git');
      mkdirSync(git);
      writeFileSync(join(git, 'config'), 'as it was');
      const inside = walls(here.cwd, { git: [git] });
      const target = join(here.outside, 'escaped');
      for (const nests of [false, true]) {
        for (const script of [
          `mount -o remount,bind,rw / ; echo x > ${target}`,
          `mount -o remount,bind,rw ${here.outside}; echo x > ${target}`,
          `unshare -Urm sh -c 'mount -o remount,bind,rw /; echo x > ${target}'`,
          `umount .git; umount -l .git; umount /; echo x > .git/config`,
          `mv .git .git2; mkdir .git; echo x > .git/config`,
          `mv ${here.cwd} ${here.outside}/moved; echo x > ${target}`,
          `rm -rf .git; mkdir -p .git; echo x > .git/config`,
        ]) {
          sh(script, { cwd: here.cwd, in: { ...inside, nests } });
          assert.not.ok(existsSync(target), script);
          assert.equal(readFileSync(join(git, 'config'), 'utf8'), 'as it was', script);
        }
      }
      sh('mv .git .git2; mkdir .git; echo x > .git/config', { cwd: here.cwd });
      assert.equal(readFileSync(join(git, 'config'), 'utf8'), 'x\n');
    } finally {
      here.remove();
    }
  });

  test('no road through git leads outside, and nothing of .git changes', () => {
    const here = place();
    try {
      const escaped = join(here.outside, 'escaped');
      const evil = join(here.cwd, 'evil.sh');
      const prepare = `git init -q . && git -c user.name=t -c user.email=t@t commit -q --allow-empty -m one
        printf '#!/bin/sh\\necho x > ${escaped}\\n' > evil.sh; chmod +x evil.sh; echo a > a.txt; git add a.txt; echo b > a.txt`;
      sh(prepare, { cwd: here.cwd });
      const roads = [
        `git config core.fsmonitor ${evil}; git status`,
        `git config diff.external ${evil}; git diff`,
        `echo '* diff=x' > .gitattributes; git config diff.x.textconv ${evil}; git diff`,
        `printf '#!/bin/sh\\n${evil}\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; git -c user.name=t -c user.email=t@t commit -q --allow-empty -m two`,
        `mkdir -p bare/objects bare/refs; echo 'ref: refs/heads/main' > bare/HEAD; printf '[core]\\nbare=false\\nworktree=..\\nfsmonitor=${evil}\\n' > bare/config; git -C bare status`,
        `mkdir -p own; cp -r .git/* own/; printf '[core]\\nfsmonitor=${evil}\\n' >> own/config; echo ../own > .git/commondir; git status`,
      ];
      const fingerprint = () => sh('find .git -type f -exec md5sum {} + | sort', { cwd: here.cwd }).out;
      const before = fingerprint();
      const inside = walls(here.cwd, { git: gitFolders(here.cwd).found });
      for (const road of roads) {
        sh(road, { cwd: here.cwd, in: inside });
        assert.not.ok(existsSync(escaped), road);
        assert.equal(fingerprint(), before, road);
      }
      // Reading works all the same.
      assert.match(sh('git log --oneline', { cwd: here.cwd, in: inside }).out, /one/);
      sh(roads[0] ?? '', { cwd: here.cwd });
      assert.ok(existsSync(escaped), 'without walls the first road leads out');
    } finally {
      here.remove();
    }
  });

  test('a socket in a shared folder or behind a closed file does not answer; the network does unless it is closed', async () => {
    const here = place();
    const answering = async (path: string | number) => {
      const server = createServer((socket) => socket.end('hello'));
      await new Promise<void>((resolve) => server.listen(path, () => resolve()));
      return server;
    };
    const sockets = [`/tmp/turnout-test-${process.pid}.sock`, join(here.outside, 'agent.sock')];
    const servers = [...(await Promise.all(sockets.map(answering))), await answering(0)];
    const address = servers[2]?.address();
    const port = typeof address === 'object' ? address?.port : 0;
    try {
      const node = (where: string) =>
        `'${process.execPath}' -e "require('net').connect(${where}).on('data', d => process.stdout.write(d)).on('error', e => console.log(e.code))"`;
      // The servers live in this process, so the client must not block it.
      const { spawn } = await import('node:child_process');
      const { findBwrap } = await import('../../../src/process/confine/bwrap.js');
      const { bwrapArgs } = await import('../../../src/process/confine/walls.js');
      const tried = (script: string, network: 'open' | 'none' | null) =>
        new Promise<string>((resolve) => {
          const inside = walls(here.cwd, {
            network: network ?? 'open',
            closed: [{ at: sockets[1] ?? '', folder: false }],
          });
          const argv = network === null ? [] : [findBwrap()?.path ?? '', ...bwrapArgs(inside, 2), '--'];
          const [program = '', ...args] = [...argv, '/bin/sh', '-c', script];
          const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
          let out = '';
          child.stdout.on('data', (chunk) => (out += chunk));
          child.on('close', () => resolve(out));
        });
      for (const path of sockets) {
        assert.match(await tried(node(`'${path}'`), null), /hello/);
        assert.not.match(await tried(node(`'${path}'`), 'open'), /hello/, path);
      }
      assert.match(await tried(node(String(port)), 'open'), /hello/);
      assert.not.match(await tried(node(String(port)), 'none'), /hello/);
    } finally {
      for (const server of servers) server.close();
      here.remove();
    }
  });

  test('it holds for a user who is not root', () => {
    if (process.getuid?.() !== 0) return;
    const here = place('/var/lib');
    try {
      const script = `id -u; echo x > inside; echo x > ${here.outside}/escaped; unshare -Urm true && echo nested`;
      const inside = walls(here.cwd, { home: '/nonexistent', uid0: false });
      const { out } = sh(script, { cwd: here.cwd, in: inside, uid: 65_534 });
      assert.match(out, /^65534$/m);
      assert.ok(existsSync(join(here.cwd, 'inside')), out);
      assert.not.ok(existsSync(join(here.outside, 'escaped')));
      assert.not.match(out, /^nested$/m);
      sh(script, { cwd: here.cwd, uid: 65_534 });
      assert.ok(existsSync(join(here.outside, 'escaped')));
    } finally {
      here.remove();
    }
  });
}

test.run();
