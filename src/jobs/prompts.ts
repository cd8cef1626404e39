/** What the implementer is given after its first prompt. */

import type { CheckResult, Finding } from './job.js';

const MOST_FINDINGS = 60_000;
const MOST_ALL = 180_000;
const MOST_TAIL = 2000;

const order = (a: Finding, b: Finding): number => {
  const keys = [a.code, a.evidence_ref ?? ''] as const;
  const others = [b.code, b.evidence_ref ?? ''] as const;
  return keys < others ? -1 : keys > others ? 1 : 0;
};

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}\n[cut]`;
}

/** The findings in a steady order, numbered, and the task again. */
export function reworkPrompt(findings: readonly Finding[], task: string): string {
  const lines = [...findings].sort(order).map(({ code, severity, message, evidence_ref: at }, number) => {
    const where = at === undefined ? '' : ` (see ${at})`;
    return `${number + 1}. [${severity}] ${code}: ${message}${where}`;
  });
  const list = cut(lines.join('\n'), MOST_FINDINGS);
  return cut(
    `The audit of your change asks for rework. Resolve each of these findings:\n${list}\n\nThe task was:\n${task}`,
    MOST_ALL,
  );
}

export function failedChecksPrompt(checks: readonly CheckResult[], task: string): string {
  const failed = checks.filter(({ passed }) => !passed);
  const lines = failed.map(({ name, exit_code, error, output_tail }) => {
    const why = exit_code === null ? (error ?? 'it did not run') : `exit code ${exit_code}`;
    return `- ${name}: ${why}\n${output_tail.slice(-MOST_TAIL)}`;
  });
  return cut(
    `Your change does not pass the checks of this project. Make them pass:\n${lines.join('\n')}\n\nThe task was:\n${task}`,
    MOST_ALL,
  );
}
