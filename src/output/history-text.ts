/** Turns that a person ran, for people. */

import type { Totals } from '../contract/event.js';
import { harmless, oneLine, shorten } from '../text/printable.js';
import { dollars, duration, localTime, tokens } from './figures.js';
import { textTable } from './text-table.js';

export interface HistoryRow {
  id: string;
  /** The command that ran the turn. */
  way: string;
  /** When it began, as ISO 8601 in UTC. */
  began_at: string;
  cwd: string;
  /** The one that answered; what was asked for where none did. */
  runtime: string;
  model: string | null;
  session_id: string | null;
  prompt: string;
  output: string | null;
  exit_code: number;
  error: string | null;
  duration_ms: number;
  usage: Totals;
}

const result = ({ exit_code, error }: HistoryRow): string => error ?? (exit_code === 0 ? 'ok' : `exit ${exit_code}`);

/** Newest first, as given. */
export function historyTable(runs: readonly HistoryRow[]): string {
  const rows = runs.map((run) => [
    run.id,
    localTime(run.began_at),
    run.way,
    oneLine(run.runtime),
    result(run),
    duration(run.duration_ms),
    dollars(run.usage.cost_usd),
    shorten(oneLine(run.prompt), 50),
  ]);
  return textTable([['ID', 'BEGAN', 'BY', 'RUNTIME', 'RESULT', 'TIME', 'COST', 'PROMPT'], ...rows]);
}

export function historyText(run: HistoryRow): string {
  const { input_tokens, output_tokens } = run.usage;
  const runtime = oneLine(run.model === null ? run.runtime : `${run.runtime} ${run.model}`);
  const head = [
    [`${run.id}:`, `${localTime(run.began_at)}, ${run.way} in ${oneLine(run.cwd)}`],
    ['runtime:', runtime],
    ['result:', `${result(run)} in ${duration(run.duration_ms)}`],
    ['usage:', `${tokens(input_tokens)} in, ${tokens(output_tokens)} out, ${dollars(run.usage.cost_usd)}`],
    ...(run.session_id === null
      ? []
      : [['continue:', `turnout run -r ${oneLine(run.runtime)} --resume ${oneLine(run.session_id)} "…"`]]),
  ];
  const answer = run.output === null ? '' : `\n${harmless(run.output).trimEnd()}\n`;
  return `${textTable(head)}\n> ${harmless(run.prompt).trimEnd().replaceAll('\n', '\n> ')}\n${answer}`;
}
