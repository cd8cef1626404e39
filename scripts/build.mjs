// Builds dist/: one CommonJS bundle of what hosts start again and again (main.cjs), and for the rest one bundle per entry
// with shared chunks, so that a command loads only what it uses.
//
//   node scripts/build.mjs                everything
//   node scripts/build.mjs --no-types     without type declarations
//   node scripts/build.mjs --if-stale     only when a source is newer than dist/, and without type declarations
//   node scripts/build.mjs --if-possible  everything, or nothing with a notice where the build tools are not installed
//
// Libraries in devDependencies are bundled (their notices go to dist/THIRD_PARTY_LICENSES.txt); those in dependencies
// and optionalDependencies are heavy and rarely needed, stay outside and are loaded lazily, as are the optional peerDependencies
// of a cluster, which whoever wants one installs. dist/ is replaced by rename, never half written.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deferredRunners } from './deferred-runners.mjs';
import { lazyBuiltins } from './lazy-builtins.mjs';
import {
  LATE_BUILD,
  LATE_MODULES,
  LAZY_LIBRARIES,
  lateModules,
  lazyLibraries,
  MAIN_ENTRY,
  refuseHeavy,
  sharedModules,
  versionAlone,
} from './lazy-libraries.mjs';
import { writeMan } from './man.mjs';
import { findCommands, writeManifest } from './manifest.mjs';
import { notices } from './notices.mjs';
import { buildPage } from './page.mjs';
import { writeLists } from './registry.mjs';
import { buildLauncher } from './windows-launcher.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const pkg = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const flags = new Set(process.argv.slice(2));

/** Newest change below a path, in ms. */
function newest(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), stat.mtimeMs);
}

function stale() {
  const stamp = join(dist, '.stamp');
  if (!existsSync(stamp)) return true;
  const built = statSync(stamp).mtimeMs;
  return ['src', 'runners', 'scripts', 'package.json', 'tsconfig.json'].some(
    (name) => newest(join(root, name)) > built,
  );
}

/** Output path without extension → source. Commands stay files of their own: oclif loads them one by one. */
function entryPoints() {
  const fixed = {
    ...LATE_MODULES,
    cli: 'src/commands/dispatch.ts',
    index: 'src/index.ts',
    'client/index': 'src/client/index.ts',
    demo: 'src/demo/main.ts',
    'mcp-bridge': 'src/tools/mcp-bridge-main.ts',
  };
  const commands = findCommands(join(root, 'src', 'commands'));
  return {
    ...fixed,
    ...Object.fromEntries(commands.map((name) => [`commands/${name}`, `src/commands/${name}.ts`])),
  };
}

async function bundle(outdir) {
  const { build } = await import('esbuild');
  const shared = {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    // Its main file finds its own parts in a way that no bundler follows.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    external: Object.keys({ ...pkg.dependencies, ...pkg.optionalDependencies, ...pkg.peerDependencies }),
    // Names stay, so that a stack trace can be read; the rest is white space that every turn would read.
    minifyWhitespace: true,
    sourcemap: true,
    // Stack traces need places alone, and the text of all sources would be half of what is installed.
    sourcesContent: false,
    plugins: [lazyBuiltins, versionAlone(pkg)],
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  };
  const bundled = await build({
    ...shared,
    entryPoints: entryPoints(),
    outdir,
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    // Some bundled libraries are CommonJS and `require` Node's own modules.
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  });
  const ownUrl = {
    define: { 'import.meta.url': 'ownUrl' },
    banner: { js: 'const ownUrl = require("node:url").pathToFileURL(__filename).href;' },
  };
  // Node starts one CommonJS file sooner than the modules it was made of.
  const runners = await deferredRunners(root, outdir, (options) => build({ ...shared, ...options }));
  const main = await build({
    ...shared,
    stdin: { contents: MAIN_ENTRY, resolveDir: root, sourcefile: 'main-entry.js' },
    outfile: join(outdir, 'main.cjs'),
    format: 'cjs',
    plugins: [...shared.plugins, runners.plugin, lazyLibraries, lateModules(root)],
    ...ownUrl,
  });
  const late = await build({
    ...shared,
    ...LATE_BUILD,
    outdir,
    plugins: [...shared.plugins, sharedModules(root), runners.plugin],
    ...ownUrl,
  });
  refuseHeavy(main.metafile);
  const page = await buildPage(root, join(outdir, 'page'), build);
  const libraries = await build({ ...shared, ...LAZY_LIBRARIES, outdir: join(outdir, 'libraries') });
  writeFileSync(
    join(outdir, 'THIRD_PARTY_LICENSES.txt'),
    notices(root, [bundled.metafile, runners.metafile, main.metafile, late.metafile, libraries.metafile, page]),
  );

  // What `--version` prints, ready to be copied to stdout: the handshake loads no module at all.
  const hello = join(outdir, '.handshake.mjs');
  await build({
    ...shared,
    entryPoints: ['src/contract/handshake.ts'],
    outfile: hello,
    format: 'esm',
    sourcemap: false,
  });
  const { handshake } = await import(hello);
  writeFileSync(join(outdir, 'handshake.json'), `${JSON.stringify(handshake(pkg.version))}\n`);
  writeFileSync(join(outdir, 'handshake-monomind.json'), `${JSON.stringify(handshake(pkg.version, 'monomind'))}\n`);
  rmSync(hello);
}

async function declarations(outdir) {
  const { execaSync } = await import('execa');
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, '-p', 'tsconfig.build.json', '--outDir', join(outdir, 'types')];
  const ran = execaSync(process.execPath, args, { cwd: root, stdio: 'inherit', reject: false });
  if (ran.exitCode !== 0) throw new Error('the type declarations could not be written (see above)');
}

/** Another build may do the same at the same time: the later one wins. */
function replaceDist(scratch) {
  const old = `${scratch}-old`;
  for (let tries = 5; ; tries--) {
    try {
      if (existsSync(dist)) renameSync(dist, old);
      renameSync(scratch, dist);
      return;
    } catch (error) {
      if (tries === 0) throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}

async function main() {
  if (flags.has('--if-stale') && !stale()) return;
  if (flags.has('--if-possible') && !existsSync(join(root, 'node_modules', 'esbuild'))) {
    console.error('turnout: not built, since the build tools are not installed (npm ci installs them)');
    return;
  }
  writeLists();
  // As deep as dist/, so that the paths in the source maps hold after the rename.
  const scratch = join(root, `.build-${process.pid}`);
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  try {
    await bundle(scratch);
    if (!buildLauncher(root, scratch))
      console.error('without the launcher for Windows: there is no MinGW-w64 here (only what is published needs it)');
    if (!flags.has('--if-stale') && !flags.has('--no-types')) await declarations(scratch);
    writeFileSync(join(scratch, '.stamp'), '');
    replaceDist(scratch);
    await writeManifest(root);
    writeMan(root);
    console.error(`built ${relative(process.cwd(), dist) || dist}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

try {
  await main();
} catch (error) {
  // esbuild has shown its own errors already.
  if (!Array.isArray(error?.errors)) console.error(error);
  process.exitCode = 1;
}
