// Node 20 cannot run TypeScript: what is started from the sources is bundled first, into the folder where all test builds
// go, and its `main` is called. Only our own sources are bundled; libraries stay where they are installed.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { execaSync } from 'execa';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Builds dist/ when a source is newer: what judges the built program must not judge an old one. Ends the process when that fails. */
export function freshBuild() {
  const built = execaSync(process.execPath, [join(root, 'scripts', 'build.mjs'), '--if-stale'], {
    stdio: 'inherit',
    reject: false,
  });
  if (built.exitCode !== 0) process.exit(built.exitCode ?? 1);
}

/**
 * @param {string} entry path below the project, of a module that exports `main(args, root)`
 * @param {string} name of the bundle below `.build`
 * @param {readonly string[]} args
 */
export async function runBundled(entry, name, args) {
  const outfile = join(root, '.build', name);
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  process.setSourceMapsEnabled(true);
  const { main } = await import(pathToFileURL(outfile).href);
  process.exitCode = await main(args, root);
}
