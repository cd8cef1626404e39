// Launcher of the lab.
import { freshBuild, runBundled } from '../../scripts/run-bundled.mjs';

if (process.argv[2] === 'run' || process.argv[2] === 'mcp') freshBuild();
await runBundled('test/lab/main.ts', 'lab/main.js', process.argv.slice(2));
