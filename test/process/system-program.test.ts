import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { onPath, system32, systemRoot } from '../../src/process/system-program.js';

const test = suite('programs of Windows');
const none = () => false;

test('a program of the system is named by its full path, in any case of the variable', () => {
  assert.is(system32('taskkill.exe', { SystemRoot: 'D:\\WINNT' }), 'D:\\WINNT\\System32\\taskkill.exe');
  assert.is(system32('cmd.exe', { SYSTEMROOT: 'D:/WINNT' }), 'D:\\WINNT\\System32\\cmd.exe');
});

test('a system root that hangs on the current folder or drive is not believed', () => {
  for (const SystemRoot of ['', '.', 'evil', '\\evil', 'C:evil', '\\\\server\\share']) {
    assert.is(systemRoot({ SystemRoot }), 'C:\\Windows', SystemRoot);
  }
  assert.is(systemRoot({}), 'C:\\Windows');
});

test('git and npm come from full folders of PATH alone, never from the current folder', () => {
  const env = { Path: '.;;tools;\\tools;C:tools;"C:\\Program Files\\Git\\cmd";D:\\npm' };
  const asked: string[] = [];
  const look = (there: string) => (path: string) => {
    asked.push(path);
    return path === there;
  };
  const git = 'C:\\Program Files\\Git\\cmd\\git.exe';
  assert.is(onPath('git', env, { platform: 'win32', exists: look(git) }), git);
  assert.is(onPath('npm', env, { platform: 'win32', exists: look('D:\\npm\\npm.cmd') }), 'D:\\npm\\npm.cmd');
  assert.ok(asked.every((path) => /^[CD]:\\(Program Files\\Git\\cmd|npm)\\/.test(path)));
  assert.is(onPath('git', env, { platform: 'win32', exists: none }), 'C:\\Windows\\System32\\git.exe');
});

test('what lies in the working folder, or in ours, is not taken; in a home folder everything lies inside', () => {
  const env = {
    PATH: 'C:\\repo\\node_modules\\.bin;C:\\Users\\me\\scoop\\shims;D:\\git',
    USERPROFILE: 'C:\\Users\\me',
  };
  const find = (own: string, cwd?: string) =>
    onPath('git', env, { platform: 'win32', exists: () => true, own, ...(cwd === undefined ? {} : { cwd }) });
  assert.is(find('D:\\'), 'C:\\repo\\node_modules\\.bin\\git.exe');
  for (const [own, cwd] of [['c:\\REPO'], ['C:\\other', 'C:\\repo\\node_modules']] as const) {
    assert.is(find(own, cwd), 'C:\\Users\\me\\scoop\\shims\\git.exe', own);
  }
  assert.is(find('C:\\Users\\me\\scoop'), 'C:\\repo\\node_modules\\.bin\\git.exe');
  assert.is(find('C:\\Users\\me', 'C:\\repo'), 'C:\\Users\\me\\scoop\\shims\\git.exe');
});

test('elsewhere the name is left to PATH', () => {
  assert.is(onPath('git', {}, { platform: 'linux', exists: none }), 'git');
});

test.run();
