// Launcher of the measurements: `npm run bench -- [--only a,b] [--runs N] [--dry]`. They measure the built program.
import { freshBuild, runBundled } from '../scripts/run-bundled.mjs';

freshBuild();
// Costs every Node process 50 ms at its start.
delete process.env.NODE_EXTRA_CA_CERTS;
await runBundled('bench/main.ts', 'bench/main.mjs', process.argv.slice(2));
