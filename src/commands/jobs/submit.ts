import { randomUUID } from 'node:crypto';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../contract/error.js';
import { jobView } from '../../jobs/wire.js';
import { jobText } from '../../output/job-text.js';
import { TurnoutCommand } from '../base.js';
import { followJob } from '../follow-job.js';
import { JSON_FLAG, ME, refuseImplementer, SERVICE_FLAGS, settingsOf, withJobs } from '../jobs-reading.js';

export default class JobsSubmit extends TurnoutCommand {
  static override summary = 'Let a runtime implement something in a private copy, and wait until it can be audited.';
  static override description =
    'The checks of .turnout/coding.yaml run on what it made; nothing of your folder changes until `turnout jobs land`. ' +
    'Exit codes: 0 it waits for its audit (or --auditor accepted it), 1 it failed, 130 it was cancelled.';
  static override examples = ['<%= config.bin %> jobs submit --implementer claude --prompt "Fix the failing test"'];
  static override flags = {
    ...JSON_FLAG,
    ...SERVICE_FLAGS,
    implementer: Flags.string({
      summary: 'the runtime that does the work: ID or ID/MODEL',
      helpValue: 'ID',
      required: true,
    }),
    prompt: Flags.string({ char: 'p', summary: 'what is to be done', helpValue: 'TEXT', required: true }),
    cwd: Flags.string({ summary: 'the folder to work for (.)', helpValue: 'DIR' }),
    key: Flags.string({ summary: 'the same key with the same request is the same job', helpValue: 'KEY' }),
    attempts: Flags.integer({ summary: 'turns until the checks pass (3)', helpValue: 'N', min: 1, max: 5 }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(JobsSubmit);
    refuseImplementer();
    const key = flags.key ?? randomUUID();
    if (flags.prompt.trim() === '') throw new UsageError('--prompt: expected a text that is not empty');
    const settings = settingsOf(flags.implementer, flags);
    const job = await withJobs(settings, flags.runner, async (open) => {
      const request = {
        message: flags.prompt,
        working_dir: flags.cwd ?? process.cwd(),
        ...(flags.attempts === undefined ? {} : { max_attempts: flags.attempts }),
      };
      const { job } = await open.jobs.submit(key, request, ME);
      return followJob(open, job);
    });
    await this.print(flags.json ? `${JSON.stringify({ v: 1, job: jobView(job, null) })}\n` : jobText(job));
    process.exitCode = job.state === 'failed' ? 1 : job.state === 'cancelled' ? 130 : 0;
  }
}
