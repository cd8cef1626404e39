/** Runs and their events for people. */

import type { Event, QuestionEvent } from '../contract/event.js';

/** What would move the cursor of a terminal is shown as `?`; line ends stay. */
const printable = (text: string): string => text.replace(/[^\P{Cc}\n\t]|[\p{Cf}\u2028\u2029]/gu, '?');
const oneLine = (text: string): string => printable(text).replace(/\s+/g, ' ').trim();
const short = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

const askedText = ({ title, questions, url }: QuestionEvent): string =>
  [title, ...questions.map(({ question }) => question), url].filter((one) => one !== undefined).join(' ');

export interface RunRow {
  run_id: string;
  status: string;
  runtime: string;
  created_at: number;
  prompt: string;
  cost_usd: number | null;
}

const HEAD = ['RUN', 'STATUS', 'RUNTIME', 'BEGAN', 'COST', 'PROMPT'];

/** A table, newest first as given. */
export function runTable(rows: readonly RunRow[]): string {
  if (rows.length === 0) return 'No run is kept.\n';
  const cells = rows.map((run) => [
    run.run_id,
    run.status,
    run.runtime,
    new Date(run.created_at).toISOString().slice(0, 19).replace('T', ' '),
    run.cost_usd === null ? '-' : `$${run.cost_usd.toFixed(4)}`,
    short(oneLine(run.prompt), 60),
  ]);
  const widths = HEAD.map((head, column) => Math.max(head.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return `${[HEAD, ...cells].map(line).join('\n')}\n`;
}

/** One event as text; empty for those a person has no use for. */
export function eventText(event: Event): string {
  switch (event.type) {
    case 'start':
      return `[${event.runtime} in ${oneLine(event.cwd)}]\n`;
    case 'assistant':
      return printable(event.text);
    case 'tool_call':
      return `\n[asks for ${oneLine(event.name)} ${short(oneLine(JSON.stringify(event.args)), 200)}]\n`;
    case 'tool_activity':
      if (event.phase === 'end')
        return event.ok ? '' : `[${oneLine(event.name)} failed: ${short(oneLine(event.output), 200)}]\n`;
      return `\n[${oneLine(event.name)} ${short(oneLine(JSON.stringify(event.input)), 200)}]\n`;
    case 'permission_request':
      return `\n[asks whether ${oneLine(event.name)} may run ${short(oneLine(JSON.stringify(event.input)), 200)}]\n`;
    case 'question':
      return `\n[asks: ${short(oneLine(askedText(event)), 400)}]\n`;
    case 'status':
      return event.message === undefined ? '' : `\n[${oneLine(event.message)}]\n`;
    case 'error':
      return `\n[error ${event.code}: ${printable(event.message)}]\n`;
    case 'done':
      return `\n[done: ${event.stop_reason}, exit code ${event.exit_code}, ${(event.duration_ms / 1000).toFixed(1)} s]\n`;
    case 'patch':
      return `\n[changed ${event.files.length} file${event.files.length === 1 ? '' : 's'} in ${event.workspace}]\n`;
    case 'session':
    case 'thinking':
    case 'tool_result':
    case 'subagent':
    case 'plan':
    case 'usage':
    case 'result':
      return '';
    default: {
      const never: never = event;
      throw new Error(`unknown event ${JSON.stringify(never)}`);
    }
  }
}
