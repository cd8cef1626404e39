/** A job service of one process, from the files of a person. */

import { join } from 'node:path';
import type { Runner } from '../runner/runner.js';
import { type Core, createCore } from '../runs/core.js';
import { recover } from '../runs/recover.js';
import { openSqlite } from '../runs/store/sqlite-store.js';
import { createJobService, type JobService, type JobServiceOptions } from './service.js';
import type { JobSettings } from './settings.js';
import { type JobStore, jobsDir, openJobStore } from './store.js';

export interface OpenJobsOptions {
  settings: JobSettings;
  runners: readonly Runner[];
  env: NodeJS.ProcessEnv;
  turnout: readonly string[];
  version: string;
  cwd: string;
  /** Whether jobs that wait are worked on here, whoever submitted them. */
  takeWaiting: boolean;
  complain(message: string): void;
  refuse?: JobServiceOptions['refuse'];
}

export interface OpenJobs {
  jobs: JobService;
  store: JobStore;
  core: Core;
  close(): Promise<void>;
}

/**
 * Runs of jobs are kept beside the jobs, so that every process that works on jobs can.
 * @throws JobError, StoreError
 */
export async function openJobs(options: OpenJobsOptions): Promise<OpenJobs> {
  const { env, runners, turnout, version, cwd, complain } = options;
  const { TURNOUT_TOKEN: _ours, ...ambient } = env;
  const dir = jobsDir(env);
  const store = await openJobStore(dir);
  try {
    const runs = await openSqlite({ path: join(dir, 'runs.db'), what: 'jobs', shared: true, complain });
    try {
      await recover(runs, Date.now());
      const core = createCore({ store: runs, runners, ambient, cwd, turnout, version });
      const jobs = createJobService({ ...options, core, store });
      return {
        jobs,
        store,
        core,
        async close() {
          await jobs.close();
          core.cancelAll('shutdown');
          await core.drain();
          runs.close();
          store.close();
        },
      };
    } catch (error) {
      runs.close();
      throw error;
    }
  } catch (error) {
    store.close();
    throw error;
  }
}
