/** Keeps a turn for `turnout history`. */

import type { RunKeeper, Way } from '../exec/run-history.js';
import type { ExecPlan } from '../request/from-argv.js';

export async function keepPlan({ request }: ExecPlan, way: Way): Promise<RunKeeper> {
  const { runKeeper } = await import('../exec/run-history.js');
  const { cwd, prompt, runtime, model } = request;
  const lost = (message: string) => void process.stderr.write(`turnout: ${message}\n`);
  return runKeeper({ way, cwd, prompt, runtime, model }, process.env, lost);
}
