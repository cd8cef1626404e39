/** Runs and their events for people. */

import type { Event, QuestionEvent } from '../contract/event.js';
import { harmless, oneLine, shorten } from '../text/printable.js';
import { dollars, localTime } from './figures.js';
import { textTable } from './text-table.js';

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
  if (rows.length === 0) return 'A server has run nothing here. What you ran yourself: turnout history\n';
  const cells = rows.map((run) => [
    run.run_id,
    run.status,
    run.runtime,
    localTime(run.created_at),
    dollars(run.cost_usd),
    shorten(oneLine(run.prompt), 60),
  ]);
  return textTable([HEAD, ...cells]);
}

/** One event as text; empty for those a person has no use for. */
export function eventText(event: Event): string {
  switch (event.type) {
    case 'start':
      return `[${event.runtime} in ${oneLine(event.cwd)}]\n`;
    case 'assistant':
      return harmless(event.text);
    case 'tool_call':
      return `\n[asks for ${oneLine(event.name)} ${shorten(oneLine(JSON.stringify(event.args)), 200)}]\n`;
    case 'tool_activity':
      if (event.phase === 'end')
        return event.ok ? '' : `[${oneLine(event.name)} failed: ${shorten(oneLine(event.output), 200)}]\n`;
      return `\n[${oneLine(event.name)} ${shorten(oneLine(JSON.stringify(event.input)), 200)}]\n`;
    case 'permission_request':
      return `\n[asks whether ${oneLine(event.name)} may run ${shorten(oneLine(JSON.stringify(event.input)), 200)}]\n`;
    case 'question':
      return `\n[asks: ${shorten(oneLine(askedText(event)), 400)}]\n`;
    case 'status':
      return event.message === undefined ? '' : `\n[${oneLine(event.message)}]\n`;
    case 'error':
      return `\n[error ${event.code}: ${harmless(event.message)}]\n`;
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
