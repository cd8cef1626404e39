/** Events of a turn → lines of a transcript that is only ever added to, what is still open, and what is going on. */

import type { Event } from '../contract/event.js';
import { dollars, duration, tokens } from '../output/figures.js';
import { harmless, oneLine } from '../text/printable.js';
import { filesOfTool } from '../view/diff.js';
import type { ToolItem } from '../view/item.js';
import { advance, emptyTurn, type TurnView, withoutEnded } from '../view/turn.js';
import type { Look } from './blocks.js';
import { type Markdown, markdown } from './markdown.js';
import { changeLines, safeLines } from './question-text.js';

export interface Transcript {
  hear(event: Event): void;
  /** Lines that are closed since the last call. */
  closed(): string[];
  /** Lines of what is being written. */
  open(): string[];
  /** What is going on; null while the answer is being written. */
  busy(): string | null;
}

/** Lines of a change, and of the output of what failed. */
const MOST_CHANGED = 16;
const MOST_OUTPUT = 6;

/** @param seen the person has read the change already, as a question */
function toolLines(item: ToolItem, look: Look, seen: boolean): string[] {
  const { paint } = look;
  const { state, exitCode, durationMs } = item;
  const mark = state === 'ok' ? paint('green', '✓') : paint('red', '✗');
  const why = state === 'denied' || state === 'cancelled' ? ` (${state})` : exitCode ? ` (exit ${exitCode})` : '';
  const took = durationMs !== null && durationMs >= 1000 ? paint('dim', ` ${duration(durationMs)}`) : '';
  const files = state === 'ok' ? filesOfTool(item.tool, item.input) : [];
  const size = files.map(({ added, removed }) => paint('dim', ` +${added} -${removed}`)).join('');
  const change = seen ? [] : files.flatMap((file) => changeLines(file, paint));
  const output = state === 'failed' ? safeLines(item.output).filter((line) => line.trim() !== '') : [];
  const below = change.length > 0 ? change.slice(0, MOST_CHANGED) : output.slice(-MOST_OUTPUT);
  const rest = Math.max(0, change.length - MOST_CHANGED);
  const indent = '  '.repeat(item.depth);
  return [
    `${indent}${mark} ${item.label}${why}${size}${took}`,
    ...below.map((line) => `${indent}  ${line}`.trimEnd()),
    ...(rest > 0 ? [paint('dim', `${indent}  … ${rest} more lines`)] : []),
  ];
}

/** E.g. `claude · 4.2s · 12.4k in, 1.9k out · $0.0600`; what is not known is left out. */
function summary(view: TurnView, event: Extract<Event, { type: 'done' }>): string {
  const { input_tokens, output_tokens, cost_usd } = event.totals ?? view.totals;
  const normal = ['end_turn', 'error', 'cancelled', 'timeout', 'budget'].includes(event.stop_reason);
  return [
    view.runtime ?? '',
    ...(normal ? [] : [`stopped: ${event.stop_reason}`]),
    duration(event.duration_ms),
    ...(input_tokens === null && output_tokens === null
      ? []
      : [`${tokens(input_tokens)} in, ${tokens(output_tokens)} out`]),
    ...(cost_usd === null ? [] : [dollars(cost_usd)]),
  ].join(' · ');
}

/** @param plain whole lines alone, each begins with what it is: for screen readers */
export function transcript(look: Look, plain: boolean): Transcript {
  const { paint } = look;
  let view = emptyTurn;
  let lines: string[] = [];
  let text: Markdown | null = null;
  let message: string | null = null;
  let busy: string | null = null;
  const asked = new Set<string>();
  /** The kind of the last lines: a blank line stands between two kinds. */
  let last: 'text' | 'tool' | 'note' | null = null;

  const put = (kind: 'text' | 'tool' | 'note', more: readonly string[]) => {
    if (more.length === 0) return;
    lines.push(...(last !== null && last !== kind && !plain ? ['', ...more] : more));
    last = kind;
  };
  const said = (more: readonly string[]) => {
    if (!plain) return put('text', more);
    const who = view.runtime ?? 'agent';
    put(
      'text',
      more.filter((line) => line !== '').map((line, at) => (at === 0 ? `${who}: ${line}` : line)),
    );
  };
  const close = () => {
    if (text === null) return;
    text.end();
    said(text.closed());
    text = null;
    message = null;
  };
  const note = (how: 'dim' | 'red', more: readonly string[]) => {
    close();
    put(
      'note',
      more.map((line) => paint(how, line)),
    );
  };
  const tool = (id: string): ToolItem | null => {
    const item = view.items[view.places.get(`tool:${id}`) ?? -1];
    return item?.kind === 'tool' ? item : null;
  };
  const running = (): string => {
    const item = view.items.findLast((one) => one.kind === 'tool' && one.state === 'running');
    return item?.kind === 'tool' ? item.label : 'thinking';
  };
  const ended = (id: string) => {
    busy = running();
    const item = tool(id);
    if (!item) return;
    close();
    const shown = toolLines(item, look, asked.has(id));
    put('tool', plain ? shown.map((line, at) => (at === 0 ? `tool: ${line}` : line)) : shown);
  };
  const speak = (event: Extract<Event, { type: 'assistant' }>) => {
    if (event.parent_tool_use_id !== undefined) return;
    if (event.message_id !== message) close();
    text ??= markdown(look);
    if (message === null && event.replaces !== undefined) note('dim', ['the answer starts again']);
    text ??= markdown(look);
    message = event.message_id;
    text.push(event.text);
    busy = null;
    if (!plain) said(text.closed());
  };

  function hear(event: Event): void {
    view = advance(withoutEnded(view), [{ seq: view.seq + 1, event }]);
    switch (event.type) {
      case 'start':
        busy = event.child_pid === undefined ? null : event.runtime;
        return;
      case 'assistant':
        return speak(event);
      case 'thinking':
        busy ??= text === null ? 'thinking' : null;
        return;
      case 'tool_activity':
        if (event.phase === 'end') return ended(event.id);
        close();
        busy = tool(event.id)?.label ?? 'thinking';
        return;
      case 'tool_call':
        busy = tool(event.id)?.label ?? 'thinking';
        return;
      case 'tool_result':
        return ended(event.id);
      case 'permission_request':
        if (event.tool_use_id !== undefined) asked.add(event.tool_use_id);
        close();
        busy = 'waiting for your answer';
        return;
      case 'question':
        close();
        busy = 'waiting for your answer';
        return;
      case 'plan': {
        const marks = { completed: '[x]', in_progress: '[>]', pending: '[ ]' } as const;
        return note(
          'dim',
          event.entries.map(({ content, status }) => `${marks[status]} ${oneLine(content)}`),
        );
      }
      case 'patch':
        return note(
          'dim',
          event.files.map(
            ({ path, added, removed }) =>
              `${oneLine(path)} ${added === null ? 'binary' : `+${added} -${removed ?? 0}`}`,
          ),
        );
      case 'status':
        // The person knows: they have answered.
        if (event.question) return;
        return event.message === undefined ? undefined : note('dim', [`note: ${oneLine(event.message)}`]);
      case 'error': {
        const hint = event.hint === undefined ? [] : [`Try: ${oneLine(event.hint)}`];
        return note('red', [...safeLines(`error ${event.code}: ${harmless(event.message)}`), ...hint]);
      }
      case 'done':
        busy = null;
        return note('dim', [summary(view, event)]);
      case 'session':
      case 'subagent':
      case 'usage':
      case 'result':
        return;
      default: {
        const never: never = event;
        throw new Error(`unknown event ${JSON.stringify(never)}`);
      }
    }
  }

  return {
    hear,
    closed() {
      const now = lines;
      lines = [];
      return now;
    },
    open: () => (text === null || plain ? [] : text.open()),
    busy: () => busy,
  };
}
