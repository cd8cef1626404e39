import { test } from 'uvu';
import * as assert from 'uvu/assert';

import { extensions, lastResort, searchPath } from '../../src/discovery/search-path.js';

const unix = { home: '/home/u', platform: 'linux', cwd: '/home/u/project', env: {} } as const;

test('relative and empty entries are not searched', () => {
  const { folders, ignored } = searchPath({ env: { PATH: '/a::.:bin:/b/:/a' }, platform: 'linux' });
  assert.equal(folders, ['/a', '/b']);
  assert.equal(ignored, ['', '.', 'bin']);
});

test('no PATH is an empty search', () => {
  assert.equal(searchPath({ env: {}, platform: 'linux' }), { folders: [], ignored: [] });
});

test('Windows keeps PATH under any case, quotes entries, and an entry without a drive is relative', () => {
  const env = { Path: 'C:\\a;"C:\\b;c";\\tools;D:x;\\\\server\\share' };
  const { folders, ignored } = searchPath({ env, platform: 'win32' });
  assert.equal(folders.slice(0, 1), ['C:\\a']);
  assert.ok(folders.some((folder) => folder.startsWith('\\\\server\\share')));
  assert.ok(ignored.includes('\\tools'));
  assert.ok(ignored.includes('D:x'));
});

test('a folder inside the working folder is a last resort', () => {
  assert.match(lastResort('/home/u/project/node_modules/.bin', unix) ?? '', 'working folder');
  assert.is(lastResort('/home/u/projects-other/bin', unix), null);
  assert.is(lastResort('/usr/bin', unix), null);
});

test('a turn in the home folder or above it does not hide everything that is installed there', () => {
  assert.is(lastResort('/home/u/.local/bin', { ...unix, cwd: '/home/u' }), null);
  assert.is(lastResort('/home/u/.local/bin', { ...unix, cwd: '/' }), null);
});

test('a Windows folder seen from WSL is a last resort', () => {
  const wsl = { ...unix, env: { WSL_DISTRO_NAME: 'Debian' } };
  assert.match(lastResort('/mnt/c/Users/u/AppData/Roaming/npm', wsl) ?? '', 'WSL');
  assert.is(lastResort('/mnt/c/Users/u/AppData/Roaming/npm', unix), null);
});

test('PATHEXT decides the order of what can be started, and never adds a script language', () => {
  const found = extensions({ env: { PATHEXT: '.CMD;.EXE;.VBS;.JS' }, platform: 'win32' });
  assert.equal(found, ['.cmd', '.exe', '.com', '.bat', '.ps1']);
  assert.equal(extensions({ env: {}, platform: 'win32' }), ['.com', '.exe', '.bat', '.cmd', '.ps1']);
  assert.equal(extensions({ env: { PATHEXT: '.CMD' }, platform: 'darwin' }), ['']);
});

test.run();
