import { jobView } from '../../jobs/wire.js';
import { landedText } from '../../output/workspace-text.js';
import { TurnoutCommand } from '../base.js';
import { JOB_ARG, JSON_FLAG, ME, refuseImplementer, wholeId, withJobs } from '../jobs-reading.js';
import { landFlags, landHow } from '../landing.js';

export default class JobsLand extends TurnoutCommand {
  static override summary = 'Bring an accepted change into your folder, merged with what you did meanwhile.';
  static override description =
    'All of it or nothing: on a conflict no file is touched. Only the revision that was accepted lands. Commits carry the lines Agent-Run, Agent-Job and Agent-Revision.';
  static override args = JOB_ARG;
  static override flags = {
    ...JSON_FLAG,
    ...landFlags(''),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(JobsLand);
    refuseImplementer();
    const how = landHow(flags);
    const job = await withJobs(null, undefined, async (open) => open.jobs.land(wholeId(open, args.id), how, ME));
    if (flags.json) return this.print(`${JSON.stringify({ v: 1, job: jobView(job, null) })}\n`);
    await this.print(landedText({ form: how.form, files: job.landed?.files ?? [], made: job.landed?.made ?? null }));
  }
}
