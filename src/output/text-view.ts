/**
 * A turn for people: the answer on stdout as it comes, one line for each tool and a summary on stderr. Quietly, stdout is
 * the output of the result alone: the last message, or the JSON value of an output schema.
 */

import { styleText } from 'node:util';
import type { Event, Totals } from '../contract/event.js';
import { harmless, oneLine } from '../text/printable.js';
import type { ToolItem } from '../view/item.js';
import { advance, emptyTurn, withoutEnded } from '../view/turn.js';
import { dollars, duration } from './figures.js';

export interface TextLook {
  colours: boolean;
  /** The answer and errors alone. */
  quiet: boolean;
  /** Whether a person looks at stdout: then what a terminal would obey is taken out. */
  terminal: boolean;
  /** Whether stdout and stderr are the same screen: then a line of the one must not begin inside one of the other. */
  shared: boolean;
  /** Whether times are shown. */
  times: boolean;
  /** Whether a person is asked for permission, by whoever reads the keys. */
  asks: boolean;
}

export interface Shown {
  /** For stdout, before the lines. */
  out: string;
  /** For stderr. */
  lines: string[];
  /** What is going on; null while the answer is being written. */
  live: string | null;
}

type Style = 'dim' | 'red' | 'green' | 'yellow';

const figure = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** E.g. `1,200 tokens in (200 cached), 34 out, $0.0071`; what is not known is left out. */
function spent(totals: Totals | undefined): string[] {
  const { input_tokens, output_tokens, cached_tokens, cost_usd } = totals ?? {};
  const parts: string[] = [];
  const cached = cached_tokens ? ` (${figure(cached_tokens)} cached)` : '';
  if (typeof input_tokens === 'number') parts.push(`${figure(input_tokens)} tokens in${cached}`);
  if (typeof output_tokens === 'number') parts.push(`${figure(output_tokens)} out`);
  if (typeof cost_usd === 'number') parts.push(dollars(cost_usd));
  return parts;
}

/** @returns a function that is given every event in order */
export function textView(look: TextLook): (event: Event) => Shown {
  const style = (how: Style, text: string) => (look.colours ? styleText(how, text, { validateStream: false }) : text);
  let view = emptyTurn;
  let message: string | null = null;
  let inLine = false;
  let live: string | null = null;
  const newest = () => view.items.at(-1);
  const tool = (id: string): ToolItem | null => {
    const item = view.items[view.places.get(`tool:${id}`) ?? -1];
    return item?.kind === 'tool' ? item : null;
  };

  const say = (lines: string[], always = false): Shown => {
    const told = look.quiet && !always ? [] : lines;
    // The live line is drawn over its own line, so it needs one, too.
    const breaks = told.length > 0 || (live !== null && !look.quiet);
    const out = breaks && inLine && look.shared ? '\n' : '';
    if (out !== '') inLine = false;
    return { out, lines: told, live };
  };
  /** The last message, for results that leave a long text out. */
  let last = { id: '', text: '' };
  const answer = (id: string, text: string): Shown => {
    if (look.quiet) {
      last = { id, text: last.id === id ? last.text + text : text };
      return say([]);
    }
    const shown = look.terminal ? harmless(text) : text;
    if (shown === '') return say([]);
    const gap = message === null || message === id ? '' : inLine ? '\n\n' : '\n';
    message = id;
    inLine = !shown.endsWith('\n');
    live = null;
    return { out: gap + shown, lines: [], live };
  };
  /** The tool that was begun last and is not over. */
  const underWay = () => view.items.findLast((item) => item.kind === 'tool' && item.state === 'running');
  const ended = (item: ToolItem | null): Shown => {
    const busy = underWay();
    live = busy?.kind === 'tool' ? busy.label : 'thinking';
    if (!item) return say([]);
    const { state, exitCode, durationMs } = item;
    const mark = state === 'ok' ? style('green', '✓') : style('red', '✗');
    const why = state === 'denied' || state === 'cancelled' ? ` (${state})` : exitCode ? ` (exit ${exitCode})` : '';
    const took =
      look.times && durationMs !== null && durationMs >= 1000 ? style('dim', ` ${duration(durationMs)}`) : '';
    return say([`${'  '.repeat(item.depth)}${mark} ${item.label}${why}${took}`]);
  };
  const begun = (item: ToolItem | null): Shown => {
    live = item?.label ?? 'thinking';
    return say([]);
  };
  const summary = (event: Extract<Event, { type: 'done' }>): Shown => {
    live = null;
    const normal = ['end_turn', 'error', 'cancelled', 'timeout', 'budget'].includes(event.stop_reason);
    const parts = [
      view.runtime ?? '',
      ...(normal ? [] : [`stopped: ${event.stop_reason}`]),
      ...(look.times ? [duration(event.duration_ms)] : []),
      ...spent(event.totals),
      ...(view.session === null ? [] : [`session ${view.session}`]),
    ];
    const end = inLine ? '\n' : '';
    inLine = false;
    // A turn that did not begin has nothing to sum up.
    const lines = look.quiet || (view.session === null && !event.totals) ? [] : [style('dim', parts.join(' · '))];
    return { out: end, lines, live };
  };

  return (event) => {
    view = advance(withoutEnded(view), [{ seq: view.seq + 1, event }]);
    switch (event.type) {
      case 'start':
        live = event.child_pid === undefined ? null : event.runtime;
        return say([]);
      case 'session':
        return say([]);
      case 'assistant':
        if (event.parent_tool_use_id !== undefined) return say([]);
        if (event.replaces !== undefined && message === event.replaces) {
          const again = say([style('dim', 'the answer starts again')]);
          message = null;
          const shown = answer(event.message_id, event.text);
          return {
            ...again,
            lines: [...again.lines],
            out: again.out + (again.out === '' && inLine ? '\n' : '') + shown.out,
          };
        }
        return answer(event.message_id, event.text);
      case 'thinking':
        if (!inLine) live = 'thinking';
        return say([]);
      case 'tool_activity':
        return event.phase === 'start' ? begun(tool(event.id)) : ended(tool(event.id));
      case 'tool_call':
        return begun(tool(event.id));
      case 'tool_result':
        return ended(tool(event.id));
      case 'plan': {
        const at = event.entries.findIndex(({ status }) => status === 'in_progress');
        const done = event.entries.filter(({ status }) => status === 'completed').length;
        const now = event.entries[at];
        if (!now) return say([]);
        return say([style('dim', `plan ${done + 1}/${event.entries.length}: ${oneLine(now.content)}`)]);
      }
      case 'patch': {
        const files = event.files.map(({ path, added, removed }) => {
          const size = added === null ? 'binary' : `+${added} -${removed ?? 0}`;
          return `${oneLine(path)} ${style('dim', size)}`;
        });
        const shown = files.slice(0, 10);
        const more = files.length > shown.length ? [style('dim', `and ${files.length - shown.length} more`)] : [];
        return say([...shown, ...more, style('dim', `land it: turnout workspace land ${event.workspace}`)]);
      }
      case 'permission_request': {
        const asked = newest();
        if (look.asks) {
          live = 'waiting for your answer';
          return say([]);
        }
        return say(asked?.kind === 'question' ? [style('yellow', `? ${asked.label}`)] : []);
      }
      case 'question': {
        if (look.asks) {
          // The line is the person's to type on.
          live = null;
          return say([]);
        }
        const asked = [event.title, ...event.questions.map(({ question }) => question), event.url];
        return say(asked.flatMap((one) => (one === undefined ? [] : [style('yellow', `? ${oneLine(one)}`)])));
      }
      case 'status':
        if (look.asks && event.question) return say([]);
        return event.message === undefined ? say([]) : say([style('dim', `note: ${oneLine(event.message)}`)]);
      case 'subagent':
      case 'usage':
        return say([]);
      case 'result': {
        if (!look.quiet) return say([]);
        const output = event.output ?? event.text ?? last.text;
        const shown = look.terminal ? harmless(output) : output;
        return { ...say([]), out: shown === '' || shown.endsWith('\n') ? shown : `${shown}\n` };
      }
      case 'error': {
        live = null;
        const lines = [`${style('red', `error ${event.code}:`)} ${harmless(event.message)}`];
        if (event.hint !== undefined) lines.push(`Try: ${oneLine(event.hint)}`);
        return say(lines, true);
      }
      case 'done':
        return summary(event);
      default: {
        const never: never = event;
        throw new Error(`unknown event ${JSON.stringify(never)}`);
      }
    }
  };
}
