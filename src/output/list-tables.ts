/** Lists and test reports for people. */

import type { ListFailure, ModelList, QuotaReport, SessionList, TestReport } from '../contract/listing.js';
import { oneLine, shorten } from '../text/printable.js';
import { dollars, localTime } from './figures.js';
import { textTable } from './text-table.js';

/** What went wrong, as other commands tell it. */
export function failureText({ message, hint }: ListFailure): string {
  return `turnout: ${message}\n${hint === undefined ? '' : `Try: ${hint}\n`}`;
}

export function modelTable(list: ModelList): string {
  if (!list.supported)
    return `${list.runtime} has no way to list its models; --model takes what its own program takes\n`;
  if (list.models.length === 0) return `${list.runtime} lists no models; is it logged in?\n`;
  const rows = list.models.map((model) => [
    `${model.default ? '*' : ' '} ${oneLine(model.id)}`,
    oneLine(model.label ?? ''),
    oneLine(model.alias_of === undefined ? (model.effort_levels ?? []).join(' ') : `same as ${model.alias_of}`),
  ]);
  return textTable([['  MODEL', 'NAME', 'EFFORT'], ...rows]);
}

export function quotaTable(report: QuotaReport): string {
  const { runtime } = report;
  if (!report.supported) return `${runtime} does not tell what is left of its plan\n`;
  const plan = report.plan === null ? runtime : `${runtime} (${oneLine(report.plan)})`;
  if (report.windows.length === 0) return `${plan}: no plan limits apply to its credential\n`;
  const rows = report.windows.map(({ name, used_percent, resets_at }) => [
    oneLine(name),
    used_percent === null ? '?' : `${Math.round(used_percent)}%`,
    resets_at === null ? '' : localTime(resets_at),
  ]);
  return `${plan}\n${textTable([['WINDOW', 'USED', 'RESETS'], ...rows])}`;
}

export function sessionTable(list: SessionList): string {
  if (!list.supported) return `the sessions of ${list.runtime} can't be listed\n`;
  if (list.sessions.length === 0) return `${list.runtime} has no session in ${list.cwd}\n`;
  const rows = list.sessions.map(({ id, time, title }) => [
    oneLine(id),
    time === null ? '' : localTime(time),
    shorten(oneLine(title ?? ''), 60),
  ]);
  return textTable([['SESSION', 'LAST USED', 'TITLE'], ...rows]);
}

export function testText(report: TestReport): string {
  const who = [report.runtime, report.runtime_version, report.model].filter(Boolean).join(' ');
  if (report.error !== null) {
    const hint = report.error.login_hint === undefined ? '' : `\nTry: ${report.error.login_hint}`;
    return `${who} does not work (${report.status}): ${report.error.message}${hint}\n`;
  }
  const cost = report.cost_usd === null ? '' : `, ${dollars(report.cost_usd)}`;
  const reply = shorten(oneLine(report.reply ?? ''), 60);
  const what = report.status === 'ok' ? 'works' : `answers, though not with ok but with ${JSON.stringify(reply)}`;
  return `${who} ${what} (${(report.latency_ms / 1000).toFixed(1)}s${cost})\n`;
}
