import * as Flags from '@oclif/core/flags';
import { jobView } from '../../jobs/wire.js';
import { jobText } from '../../output/job-text.js';
import { TurnoutCommand } from '../base.js';
import { JOB_ARG, JSON_FLAG, ME, refuseImplementer, wholeId, withJobs } from '../jobs-reading.js';

export default class JobsCancel extends TurnoutCommand {
  static override summary = 'End a job that is not accepted yet, wherever it is worked on.';
  static override description = 'Its copy stays, so that nothing is lost; --discard removes it.';
  static override args = JOB_ARG;
  static override flags = {
    ...JSON_FLAG,
    discard: Flags.boolean({ summary: 'remove its copy, also of a job that is over' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(JobsCancel);
    refuseImplementer();
    const job = await withJobs(null, undefined, async (open) => {
      const id = wholeId(open, args.id);
      const { state } = open.jobs.get(id, ME);
      const over = state === 'failed' || state === 'cancelled' || state === 'landed' || state === 'accepted';
      if (!flags.discard || !over) await open.jobs.cancel(id, ME);
      return flags.discard ? open.jobs.discard(id, ME) : open.jobs.get(id, ME);
    });
    await this.print(flags.json ? `${JSON.stringify({ v: 1, job: jobView(job, null) })}\n` : jobText(job));
  }
}
