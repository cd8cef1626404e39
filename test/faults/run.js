// Launcher of the longer fault runs: `node test/faults/run.js corpus|soak|fuzz|memory|chaos [options]`. They judge the built program.
import { freshBuild, root, runBundled } from '../../scripts/run-bundled.mjs';

const [what = 'corpus', ...args] = process.argv.slice(2);
freshBuild();
process.env.TURNOUT_ROOT ??= root;
// Costs every Node process 50 ms at its start.
delete process.env.NODE_EXTRA_CA_CERTS;
await runBundled(`test/faults/${what}-main.ts`, `faults/${what}-${process.pid}.mjs`, args);
