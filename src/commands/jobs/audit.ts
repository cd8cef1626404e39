import { readFileSync } from 'node:fs';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../contract/error.js';
import type { Json } from '../../contract/vocabulary.js';
import { SETTINGS } from '../../jobs/settings.js';
import { jobView } from '../../jobs/wire.js';
import { jobText } from '../../output/job-text.js';
import { parseJson } from '../../text/json.js';
import { TurnoutCommand } from '../base.js';
import { followJob } from '../follow-job.js';
import { JOB_ARG, JSON_FLAG, ME, refuseImplementer, wholeId, withJobs } from '../jobs-reading.js';
import { runnerFlag } from '../runner-flag.js';

/** `CODE SEVERITY MESSAGE` */
function findingOf(text: string): Json {
  const [, code, severity, message] = /^(\S+)\s+(\S+)\s+([\s\S]+)$/.exec(text.trim()) ?? [];
  if (code === undefined || severity === undefined || message === undefined)
    throw new UsageError('--finding: expected "CODE SEVERITY MESSAGE", such as "missing.test major No test fails"');
  return { code, severity, message };
}

function findingsIn(path: string | undefined): Json[] {
  if (path === undefined) return [];
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`--findings: ${path} can't be read`, { cause });
  }
  const value = parseJson(text);
  if (!Array.isArray(value)) throw new UsageError(`--findings: ${path} is not a JSON list`);
  return value;
}

export default class JobsAudit extends TurnoutCommand {
  static override summary = 'Judge exactly the revision that a job made: accept it, or send it back with findings.';
  static override description =
    'A rework goes on in the same session and is waited for. Exit codes: 0 accepted, or the rework waits for its audit; 1 refused or failed.';
  static override args = JOB_ARG;
  static override flags = {
    ...JSON_FLAG,
    revision: Flags.string({ summary: 'the revision you looked at', helpValue: 'SHA256', required: true }),
    accept: Flags.boolean({ summary: 'it may land', exclusive: ['rework'] }),
    rework: Flags.boolean({ summary: 'send it back' }),
    finding: Flags.string({
      summary: 'what must change: "CODE blocker|major|minor MESSAGE"; repeatable',
      helpValue: 'TEXT',
      multiple: true,
    }),
    findings: Flags.string({ summary: 'the same as a JSON list', helpValue: 'FILE' }),
    runner: runnerFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(JobsAudit);
    refuseImplementer();
    if (flags.accept === flags.rework) throw new UsageError('give --accept or --rework');
    const findings = [...(flags.finding ?? []).map(findingOf), ...findingsIn(flags.findings)];
    const settings = { ...SETTINGS, implementer: 'demo', workers: 1 };
    const job = await withJobs(settings, flags.runner, async (open) => {
      const id = wholeId(open, args.id);
      const verdict = flags.accept ? 'accept' : 'rework';
      const asked = { implementation_revision_sha256: flags.revision, verdict, findings };
      return followJob(open, await open.jobs.audit(id, asked, ME));
    });
    await this.print(flags.json ? `${JSON.stringify({ v: 1, job: jobView(job, null) })}\n` : jobText(job));
    process.exitCode = job.state === 'failed' ? 1 : 0;
  }
}
