import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../contract/error.js';
import { jobView } from '../../jobs/wire.js';
import { jobText } from '../../output/job-text.js';
import { TurnoutCommand } from '../base.js';
import { JOB_ARG, JSON_FLAG, ME, wholeId, withJobs } from '../jobs-reading.js';

export default class JobsGet extends TurnoutCommand {
  static override summary = 'Show one coding job, its patch, or its signed receipt.';
  static override args = JOB_ARG;
  static override flags = {
    ...JSON_FLAG,
    patch: Flags.boolean({ summary: 'print the patch and nothing else', exclusive: ['receipt', 'json'] }),
    receipt: Flags.boolean({ summary: 'print the receipt of an accepted job and nothing else', exclusive: ['json'] }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(JobsGet);
    const text = await withJobs(null, undefined, async (open) => {
      const id = wholeId(open, args.id);
      if (flags.receipt) return open.jobs.receipt(id, ME);
      const job = open.jobs.get(id, ME);
      if (!flags.patch) return flags.json ? `${JSON.stringify({ v: 1, job: jobView(job, null) })}\n` : jobText(job);
      const patch = await open.jobs.patch(id, ME);
      if (patch === null) throw new UsageError(`job ${id} has no patch: it is ${job.state}`);
      return Buffer.from(patch).toString('utf8');
    });
    await this.print(text);
  }
}
