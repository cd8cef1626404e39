// limit: 240s
import { suite } from 'uvu';
import { conformance } from '../runs/conformance.js';
import { hasPostgres, POSTGRES_SKIPPED, servePostgres } from './postgres.js';
import { clusterWorld } from './world.js';

const engine = suite('the engine');

if (hasPostgres()) {
  const served = servePostgres();
  conformance('runs on PostgreSQL', async (options) => clusterWorld((await served).url, options));
  engine('ends when the tests do', async () => (await served).stop());
} else {
  engine('is not here', () => console.log(POSTGRES_SKIPPED));
}
engine.run();
