import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../contract/error.js';
import { jobView } from '../../jobs/wire.js';
import { landedText } from '../../output/workspace-text.js';
import { LAND_FORMS } from '../../workspace/land.js';
import { TurnoutCommand } from '../base.js';
import { JOB_ARG, JSON_FLAG, ME, refuseImplementer, wholeId, withJobs } from '../jobs-reading.js';

export default class JobsLand extends TurnoutCommand {
  static override summary = 'Bring an accepted change into your folder, merged with what you did meanwhile.';
  static override description =
    'All of it or nothing: on a conflict no file is touched. Only the revision that was accepted lands. Commits carry the lines Agent-Run, Agent-Job and Agent-Revision.';
  static override args = JOB_ARG;
  static override flags = {
    ...JSON_FLAG,
    as: Flags.string({
      summary: 'apply: into your files; branch: a new branch; commit: onto your branch, in a clean tree; patch: a file',
      options: [...LAND_FORMS],
      default: 'apply',
    }),
    to: Flags.string({ summary: 'with --as patch: the file to write; must not exist', helpValue: 'FILE' }),
    message: Flags.string({ char: 'm', summary: 'the first line of the commit', helpValue: 'TEXT' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(JobsLand);
    refuseImplementer();
    const form = LAND_FORMS.find((one) => one === flags.as) ?? 'apply';
    if (flags.to !== undefined && form !== 'patch') throw new UsageError('--to needs --as patch');
    const how = {
      form,
      ...(flags.to === undefined ? {} : { to: resolve(flags.to) }),
      ...(flags.message === undefined ? {} : { message: flags.message }),
    };
    const job = await withJobs(null, undefined, async (open) => open.jobs.land(wholeId(open, args.id), how, ME));
    if (flags.json) return this.print(`${JSON.stringify({ v: 1, job: jobView(job, null) })}\n`);
    await this.print(landedText({ form, files: job.landed?.files ?? [], made: job.landed?.made ?? null }));
  }
}
