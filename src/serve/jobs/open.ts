/** The job service of a server: its turns are runs of the server, its jobs those of the person. */

import { createJobService, type JobService } from '../../jobs/service.js';
import type { JobSettings } from '../../jobs/settings.js';
import { jobsDir, openJobStore } from '../../jobs/store.js';
import type { Core } from '../../runs/core.js';
import type { Surface } from '../listen/surface.js';
import { jobsSurface } from './surface.js';

export interface ServedJobs {
  service: JobService;
  surface: Surface;
  /** What is under way fails with `service_restarted`. */
  close(): Promise<void>;
}

/** @throws JobError, StoreError */
export async function openServed(
  core: Core,
  settings: JobSettings,
  env: NodeJS.ProcessEnv,
  complain: (message: string) => void,
): Promise<ServedJobs> {
  const store = await openJobStore(jobsDir(env));
  try {
    const jobs = createJobService({ core, store, settings, env, complain });
    return {
      service: jobs,
      surface: { ...jobsSurface(jobs), close: () => jobs.close() },
      async close() {
        await jobs.close();
        store.close();
      },
    };
  } catch (error) {
    store.close();
    throw error;
  }
}
