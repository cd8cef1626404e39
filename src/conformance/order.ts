/** The order of events that the contract promises, as a checker over a whole stream. */

import type { JsonObject } from '../contract/vocabulary.js';
import { isObject } from '../text/json.js';

/** Types of events that stand between `start` and the end. */
export const MIDDLE: ReadonlySet<string> = new Set([
  'assistant',
  'thinking',
  'tool_call',
  'tool_result',
  'tool_activity',
  'subagent',
  'plan',
  'patch',
  'permission_request',
  'question',
  'usage',
  'status',
  'session',
]);

/** Exit code by stop reason, where it follows from that alone. */
const EXITS: Readonly<Record<string, readonly number[]>> = {
  end_turn: [0],
  max_tokens: [0],
  refusal: [0],
  tool_round_cap: [0],
  max_turns: [1],
  budget: [1],
  error: [1, 2],
  cancelled: [130],
  timeout: [124],
};

/** @returns the first thing that is wrong with a stream of events, null when nothing is */
export function orderFault(events: readonly JsonObject[]): string | null {
  const types = events.map((event) => String(event['type']));
  if (types[0] !== 'start') return `begins with ${types[0] ?? 'nothing'}`;
  if (types.at(-1) !== 'done') return `ends with ${types.at(-1)}`;
  for (const once of ['start', 'done', 'result']) {
    if (types.filter((type) => type === once).length > 1) return `has ${once} more than once`;
  }
  const tail = ending(events);
  if (typeof tail === 'string') return tail;
  for (const event of events.slice(1, events.length - tail.length)) {
    const type = String(event['type']);
    const harmless = type === 'error' && event['code'] === 'bad-frame' && event['fatal'] === false;
    if (!MIDDLE.has(type) && !harmless) return `has ${type} before its end`;
  }
  return sessions(events) ?? tools(events) ?? usage(events) ?? exit(events);
}

/** The last events of a turn, or what is wrong with them: `usage? result`, `usage? error`, `usage? error result`. */
function ending(events: readonly JsonObject[]): { length: number } | string {
  const before = events.at(-2);
  const type = before?.['type'];
  if (type === 'error') return before?.['code'] === 'bad-frame' ? 'ends with bad-frame' : { length: 2 };
  if (type !== 'result') return `has ${String(type)} right before done`;
  const error = events.at(-3);
  const failed = before?.['is_error'] === true;
  if (failed !== (before?.['subtype'] === 'error')) return 'has a result whose subtype and is_error differ';
  if (error?.['type'] === 'error' && error['code'] !== 'bad-frame') {
    if (error['code'] !== 'runner-error') return `has a result after error ${String(error['code'])}`;
    return failed ? { length: 3 } : 'has a good result after runner-error';
  }
  if (failed && before?.['stop_reason'] !== 'max_turns') return 'has a failed result without an error';
  return { length: 2 };
}

function sessions(events: readonly JsonObject[]): string | null {
  const ids = events.filter((event) => event['type'] === 'session').map((event) => event['session_id']);
  return new Set(ids).size === ids.length ? null : 'tells a session twice';
}

/** Every call and every activity that begins ends exactly once, under its own id. */
function tools(events: readonly JsonObject[]): string | null {
  const calls = new Map<string, number>();
  const activities = new Map<string, number>();
  for (const event of events) {
    const id = String(event['id']);
    const seen = event['type'] === 'tool_activity' ? activities : calls;
    const begins = event['type'] === 'tool_call' || (event['type'] === 'tool_activity' && event['phase'] === 'start');
    const ends = event['type'] === 'tool_result' || (event['type'] === 'tool_activity' && event['phase'] === 'end');
    if (begins && seen.has(id)) return `begins ${id} twice`;
    if (begins) seen.set(id, 0);
    if (!ends) continue;
    if (seen.get(id) !== 0) return `ends ${id}, which is not open`;
    seen.set(id, 1);
  }
  for (const [id, count] of [...calls, ...activities]) if (count === 0) return `never ends ${id}`;
  return null;
}

/** The deltas add up to the totals: a host may read either. */
function usage(events: readonly JsonObject[]): string | null {
  const totals = events.at(-1)?.['totals'];
  if (!isObject(totals)) return null;
  for (const field of ['input_tokens', 'output_tokens', 'cost_usd']) {
    const deltas = events.filter((event) => event['type'] === 'usage').map((event) => Number(event[field] ?? 0));
    const sum = deltas.reduce((a, b) => a + b, 0);
    if (Math.abs(sum - Number(totals[field] ?? 0)) > 1e-9)
      return `reports ${field} ${totals[field]} but deltas of ${sum}`;
  }
  return null;
}

function exit(events: readonly JsonObject[]): string | null {
  const done = events.at(-1) ?? {};
  const allowed = EXITS[String(done['stop_reason'])] ?? [];
  if (!allowed.includes(Number(done['exit_code'])))
    return `ends ${done['stop_reason']} with exit code ${done['exit_code']}`;
  const result = events.find((event) => event['type'] === 'result');
  if (result && result['stop_reason'] !== done['stop_reason']) return 'gives two stop reasons';
  return null;
}
