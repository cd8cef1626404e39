// limit: 240s
import { suite } from 'uvu';
import { conformance } from '../runs/conformance.js';
import { hasRedis, SKIPPED, serveRedis } from './engines.js';
import { clusterWorld } from './world.js';

const engine = suite('the engine');

if (hasRedis()) {
  const served = serveRedis();
  conformance('runs on Redis', async (options) => clusterWorld((await served).url, options));
  conformance('runs on Redis, front and worker apart', async (options) =>
    clusterWorld((await served).url, options, true),
  );
  engine('ends when the tests do', async () => (await served).stop());
} else {
  engine('is not here', () => console.log(SKIPPED));
}
engine.run();
