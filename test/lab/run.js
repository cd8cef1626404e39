// Launcher of the lab.
import { writeLists } from '../../scripts/registry.mjs';
import { freshBuild, runBundled } from '../../scripts/run-bundled.mjs';

writeLists();
if (process.argv[2] === 'run' || process.argv[2] === 'mcp') freshBuild();
await runBundled('test/lab/main.ts', 'lab/main.js', process.argv.slice(2));
