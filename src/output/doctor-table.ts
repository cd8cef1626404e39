/** The doctor's report for people. */

import type { CheckStatus, Doctor } from '../contract/doctor.js';
import { oneLine } from '../text/printable.js';
import { textTable } from './text-table.js';

const MARKS: Readonly<Record<CheckStatus, string>> = {
  pass: 'ok',
  warn: 'WARN',
  fail: 'FAIL',
  info: '-',
  skip: 'skip',
};

/** One line a check, the commands that would help behind, a sum at the end. */
export function doctorTable(report: Doctor): string {
  const rows = report.results.map(({ component, name, status, message, fix }) => [
    MARKS[status],
    component,
    name,
    fix === null ? message : `${message}. Try: ${fix}`,
  ]);
  const lines = textTable(rows.map((row) => row.map(oneLine)))
    .trimEnd()
    .split('\n');
  if (report.fixes.length > 0) {
    lines.push(
      '',
      'Commands that may help (none was run):',
      ...report.fixes.map(({ command }) => `  ${oneLine(command)}`),
    );
  }
  if (report.error !== null) lines.push('', `turnout doctor: ${oneLine(report.error)}`);
  const { passed, warnings, failed } = report.summary;
  lines.push('', `${passed} in order, ${warnings} to look at, ${failed} failed`);
  return `${lines.join('\n')}\n`;
}
