// The built-in runners as the scripts that write documents need them: their data, in scan order.
import { rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { writeLists } from './registry.mjs';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

export async function loadRunners() {
  writeLists();
  const outfile = join(root, '.build', `runners-${process.pid}.mjs`);
  const entryPoints = [join(root, 'src', 'registry', 'generated.ts')];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' });
  try {
    return (await import(pathToFileURL(outfile).href)).GENERATED;
  } finally {
    rmSync(outfile, { force: true });
  }
}
