// Launcher of the measurements: `npm run bench -- [--only a,b] [--runs N] [--dry]`. Node 20 cannot run TypeScript, so
// they are bundled first, into the folder where all test builds go. They measure the built program.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..');
const outfile = join(root, '.build', 'bench', 'main.mjs');

const built = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs'), '--if-stale'], { stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);
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

// Costs every Node process 50 ms at its start.
delete process.env.NODE_EXTRA_CA_CERTS;
process.setSourceMapsEnabled(true);
const { main } = await import(pathToFileURL(outfile).href);
process.exitCode = await main(process.argv.slice(2), root);
