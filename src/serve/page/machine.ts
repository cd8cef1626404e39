/** What the page shows of this machine. */

import { scan } from '../../discovery/scan.js';
import type { Core } from '../../runs/core.js';

/** Looks for programs and starts none. */
export async function runtimeList(core: Core): Promise<object> {
  const found = await scan(core.runners, { places: core.places(), broken: core.broken, all: true });
  const steered = new Set(core.runners.filter(({ steer }) => steer === true).map(({ id }) => id));
  return { ...found, agents: found.agents.map((entry) => ({ ...entry, steer: steered.has(entry.id) })) };
}

/** Asks the program itself, which starts it. */
export async function modelList(core: Core, runtime: string): Promise<object> {
  const { models } = await import('../../inspect/list.js');
  return models({ runtime, cwd: core.cwd, env: core.ambient, runners: core.runners });
}

export async function doctorReport(core: Core): Promise<object> {
  const { doctor } = await import('../../inspect/doctor/doctor.js');
  return doctor(core.runners, { places: core.places(), version: core.version, broken: core.broken, fix: false });
}
