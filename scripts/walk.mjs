// Walks README and docs as a stranger would: the package as npm packs it, installed below an empty prefix with an empty HOME, under each
// Node. Every marked shell block, every program of docs/embedding.md and every link within the package. Ends in "N passed, N failed".
//   npm run walk [-- 20 22 24]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const majors = process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['20', '22', '24'];
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'turnout-walk');
const scratch = mkdtempSync(join(tmpdir(), 'turnout-walk-'));
// npm runs this script itself, so it knows which npm that is.
const npm = process.env.npm_execpath ?? '/usr/lib/node_modules/npm/bin/npm-cli.js';
const registry = spawnSync(process.execPath, [npm, 'config', 'get', 'registry'], { encoding: 'utf8' }).stdout.trim();
const counts = { passed: 0, failed: 0 };

function check(name, fault) {
  counts[fault === null ? 'passed' : 'failed'] += 1;
  console.log(`${fault === null ? 'ok  ' : 'FAIL'} ${name}${fault === null ? '' : `\n${fault}`}`);
}

/** @returns what went wrong, null when the program exited with 0 */
function run(argv, options) {
  const [command = '', ...args] = argv;
  const ran = spawnSync(command, args, { encoding: 'utf8', timeout: 180_000, ...options });
  if (ran.status === 0) return null;
  return `${argv.join(' ').slice(0, 300)}\nexit ${ran.status ?? ran.signal} ${ran.error?.message ?? ''}\n${ran.stdout}${ran.stderr}`;
}

/** A Node of that major: the npm package `node-PLATFORM-ARCH` carries the binary. */
function nodeOf(major) {
  const platform = { win32: 'win' }[process.platform] ?? process.platform;
  const name = `node-${platform}-${process.arch}`;
  const folder = join(cache, major);
  const binary = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  const fault = run(
    [process.execPath, npm, 'install', '--prefix', folder, '--no-save', '--no-fund', '--no-audit', `${name}@${major}`],
    {},
  );
  if (fault !== null) throw new Error(fault);
  return binary;
}

function markdown(folder) {
  const pages = readdirSync(join(folder, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', 'CHANGELOG.md', ...pages.map((name) => join('docs', name))];
}

function links(folder) {
  for (const page of markdown(folder)) {
    const text = readFileSync(join(folder, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
    const dead = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)]
      .map(([, path]) => path)
      .filter((path) => !existsSync(join(folder, dirname(page), path)));
    check(`links of ${page}`, dead.length === 0 ? null : `lead nowhere: ${[...new Set(dead)].join(', ')}`);
  }
}

function walk(major, tarball) {
  const node = nodeOf(major);
  const home = join(scratch, major);
  const prefix = join(home, 'prefix');
  mkdirSync(prefix, { recursive: true });
  const PATH = [join(prefix, 'bin'), dirname(node), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);
  // Nothing of this machine but a path: no keys, no settings, no agents.
  const env = {
    PATH,
    HOME: home,
    LANG: 'C.UTF-8',
    npm_config_cache: join(cache, 'npm'),
    npm_config_update_notifier: 'false',
  };
  // The way to the registry is the machine's own: settings of npm, proxies, certificates.
  const at = { env: { ...process.env, ...env, npm_config_registry: registry }, cwd: home };
  const install = (args) => run([node, npm, 'install', '--no-fund', '--no-audit', ...args, tarball], at);
  check(`Node ${major}: npm install -g`, install(['-g', '--prefix', prefix]));
  const folder = join(prefix, 'lib', 'node_modules', 'turnout');
  if (major === majors[0]) links(folder);
  for (const page of markdown(folder)) {
    const text = readFileSync(join(folder, page), 'utf8');
    for (const [, script] of text.matchAll(/<!-- run -->\n```sh\n([\s\S]*?)^```$/gm)) {
      const cwd = mkdtempSync(join(home, 'work-'));
      const fault = run(['/bin/bash', '-euo', 'pipefail', '-c', script], {
        env: { ...env, HOME: mkdtempSync(join(home, 'home-')) },
        cwd,
      });
      check(`Node ${major}: ${page}: ${script.split('\n')[0]}`, fault);
    }
  }
  const project = join(home, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"type":"module","private":true}');
  check(`Node ${major}: npm install in a project`, install(['--prefix', project, 'zod']));
  const text = readFileSync(join(folder, 'docs', 'embedding.md'), 'utf8');
  for (const [index, [, script]] of [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].entries()) {
    // It needs a server, and is run beside one by test/docs.
    if (script.includes('connectServer')) continue;
    const file = join(project, `program-${index}.mjs`);
    writeFileSync(file, script);
    check(`Node ${major}: docs/embedding.md: program ${index + 1}`, run([node, file], { env, cwd: project }));
  }
}

try {
  const packed = spawnSync(process.execPath, [npm, 'pack', '--silent', '--pack-destination', scratch], {
    cwd: root,
    encoding: 'utf8',
  });
  if (packed.status !== 0) throw new Error(packed.stdout + packed.stderr);
  const tarball = join(scratch, readdirSync(scratch).find((name) => name.endsWith('.tgz')) ?? '');
  for (const major of majors) walk(major, tarball);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;
