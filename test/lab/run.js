// Launcher of the lab. Node 20 cannot run TypeScript, so the lab is bundled first, into the folder where all
// test builds go. Only the lab's own sources are bundled; libraries stay where they are installed.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const outfile = join(root, '.build', 'lab', 'main.js');

// The lab judges the built program, so it must not be an old one.
if (process.argv[2] === 'run' || process.argv[2] === 'mcp') {
  const built = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs'), '--if-stale'], { stdio: 'inherit' });
  if (built.status !== 0) process.exit(built.status ?? 1);
}

mkdirSync(dirname(outfile), { recursive: true });
await build({
  entryPoints: [join(here, 'main.ts')],
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
process.exitCode = await main(process.argv.slice(2), root);
