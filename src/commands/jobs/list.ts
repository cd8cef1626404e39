import * as Flags from '@oclif/core/flags';
import { JOB_STATES } from '../../jobs/job.js';
import { jobView } from '../../jobs/wire.js';
import { jobTable } from '../../output/job-text.js';
import { TurnoutCommand } from '../base.js';
import { JSON_FLAG, ME, withJobs } from '../jobs-reading.js';

export default class JobsList extends TurnoutCommand {
  static override summary = 'List coding jobs, newest first.';
  static override flags = {
    ...JSON_FLAG,
    state: Flags.string({ summary: 'only jobs in this state', options: [...JOB_STATES] }),
    limit: Flags.integer({ summary: 'how many (50)', helpValue: 'N', min: 1, max: 10_000, default: 50 }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(JobsList);
    const state = JOB_STATES.find((one) => one === flags.state);
    const filter = { limit: flags.limit, ...(state === undefined ? {} : { state }) };
    const jobs = await withJobs(null, undefined, async (open) => open.jobs.list(filter, ME));
    await this.print(
      flags.json ? `${JSON.stringify({ v: 1, jobs: jobs.map((job) => jobView(job, null)) })}\n` : jobTable(jobs),
    );
  }
}
