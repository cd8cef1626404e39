// Launcher of `npm run cluster`: conformance on every engine, then chaos and fairness. They judge the built program.
import { freshBuild, root, runBundled } from '../../scripts/run-bundled.mjs';

freshBuild();
process.env.TURNOUT_ROOT ??= root;
// Costs every Node process 50 ms at its start.
delete process.env.NODE_EXTRA_CA_CERTS;
process.env.TURNOUT_CONFINE = 'none';
await runBundled('test/cluster/cluster-main.ts', `cluster/main-${process.pid}.mjs`, process.argv.slice(2));
