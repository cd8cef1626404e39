// limit: 240s
import { suite, test } from 'uvu';
import { conformance } from '../runs/conformance.js';
import { hasRedis, type Served, serveRedis } from './engines.js';
import { clusterWorld } from './world.js';

const suiteEnd = suite('the engine');
const there = hasRedis();
(there ? test : test.skip)('REDIS IS INSTALLED (else nothing of a cluster on Redis is tested)', () => {});
test.run();

if (there) {
  const served: Promise<Served> = serveRedis();
  conformance('runs on Redis', async (options) => clusterWorld((await served).url, options));
  conformance('runs on Redis, front and worker apart', async (options) =>
    clusterWorld((await served).url, options, true),
  );
  suiteEnd.after(async () => (await served).stop());
  suiteEnd('redis-server ends', () => {});
  suiteEnd.run();
}
