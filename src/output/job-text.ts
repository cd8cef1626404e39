/** Coding jobs for people. */

import { oneLine, shorten } from '../text/printable.js';
import { textTable } from './text-table.js';

interface ShownJob {
  job_id: string;
  state: string;
  submitted_at: number;
  request: { message: string; working_dir: string };
  policy: { implementer: string };
  revision: string | null;
  files: readonly { path: string; status: string; added: number | null; removed: number | null }[];
  rounds: readonly { checks: readonly { name: string; passed: boolean; required: boolean; error: string | null }[] }[];
  audit_note: string | null;
  failure: { code: string; message: string } | null;
  landed: { form: string; made: string | null; files: readonly string[] } | null;
}

const NEXT: Readonly<Record<string, (id: string, revision: string) => string>> = {
  awaiting_audit: (id, revision) =>
    `Look at it: turnout jobs get ${id} --patch\nThen: turnout jobs audit ${id} --revision ${revision} --accept`,
  accepted: (id) => `Next: turnout jobs land ${id}`,
};

export function jobTable(jobs: readonly ShownJob[]): string {
  if (jobs.length === 0) return 'no jobs; turnout jobs submit begins one\n';
  const rows = jobs.map(({ job_id, state, policy, request }) => [
    job_id,
    state,
    policy.implementer,
    shorten(oneLine(request.message), 50),
  ]);
  return textTable([['JOB', 'STATE', 'BY', 'TASK'], ...rows]);
}

export function jobText(job: ShownJob): string {
  const lines = [`${job.job_id}  ${job.state}`];
  for (const { path, status, added, removed } of job.files)
    lines.push(`  ${status} ${oneLine(path)} +${added ?? '?'} -${removed ?? '?'}`);
  for (const { name, passed, required, error } of job.rounds.at(-1)?.checks ?? [])
    lines.push(`  check ${name}: ${passed ? 'passed' : (error ?? 'failed')}${required ? '' : ' (not required)'}`);
  if (job.revision !== null) lines.push(`  revision ${job.revision}`);
  if (job.failure !== null) lines.push(`  ${job.failure.code}: ${oneLine(job.failure.message)}`);
  if (job.audit_note !== null) lines.push(`  ${oneLine(job.audit_note)}`);
  if (job.landed !== null) lines.push(`  landed as ${job.landed.form}${job.landed.made ? `: ${job.landed.made}` : ''}`);
  const next = NEXT[job.state]?.(job.job_id, job.revision ?? '');
  return `${lines.join('\n')}\n${next === undefined ? '' : `${next}\n`}`;
}
