/** Opens the engine of a cluster for one question. */

import type { Engine } from '../cluster/engine.js';
import { UsageError } from '../contract/error.js';
import { type ClusterFlags, needCluster } from './cluster-flags.js';

/** @param warnings hears what is allowed and not wise @throws UsageError */
export async function onCluster<T>(
  flags: ClusterFlags,
  ask: (engine: Engine) => Promise<T>,
  warnings: (text: string) => void = () => {},
): Promise<T> {
  const { url, name } = needCluster(flags, process.env);
  const { openEngine } = await import('../cluster/open.js');
  try {
    const { engine } = await openEngine(url, { name, complain: warnings });
    try {
      return await ask(engine);
    } finally {
      await engine.close();
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'CoreError') throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
