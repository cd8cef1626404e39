/** What stdout must look like whatever the program did: the contract's order and form rules, judged from outside. */

import { MIDDLE } from '../../../src/conformance/order.js';

export interface TurnEvent {
  v: number;
  type: string;
  [field: string]: unknown;
}

export interface Stream {
  events: TurnEvent[];
  violations: string[];
}

const MIB = 1024 * 1024;

const knownTypes = new Set(['start', ...MIDDLE, 'result', 'error', 'done']);

const exitOfCode: Record<string, number> = {
  auth: 1,
  quota: 1,
  'rate-limited': 1,
  'missing-binary': 2,
  'no-runner': 2,
  budget: 1,
  unsafe: 2,
  unsupported: 2,
  'model-unavailable': 1,
  'session-not-found': 1,
  'context-full': 1,
  'mcp-failed': 1,
  'output-schema': 1,
  'runner-error': 1,
  timeout: 124,
  cancelled: 130,
};

/** Splits bytes into events; a line that is not what it should be is a violation and is left out. */
export function readStream(stdout: Buffer): Stream {
  const events: TurnEvent[] = [];
  const violations: string[] = [];
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let start = 0, n = 1; start < stdout.length; n += 1) {
    const newline = stdout.indexOf(10, start);
    const end = newline < 0 ? stdout.length : newline;
    const bytes = stdout.subarray(start, end);
    start = end + 1;
    if (newline < 0) violations.push(`line ${n} has no newline at its end`);
    if (bytes.length + 1 >= MIB) violations.push(`line ${n} has ${bytes.length} bytes`);
    try {
      const text = decoder.decode(bytes);
      if (/[\u2028\u2029\r]/.test(text)) violations.push(`line ${n} has a raw line separator`);
      const value: TurnEvent = JSON.parse(text);
      if (value.v !== 1 || !knownTypes.has(value.type)) violations.push(`line ${n} is no event: ${text.slice(0, 80)}`);
      else events.push(value);
    } catch {
      violations.push(`line ${n} is not JSON in UTF-8: ${bytes.subarray(0, 80).toString('latin1')}`);
    }
  }
  return { events, violations };
}

/** The numbers of an event that must be whole: everything but money. */
function* fractions(value: unknown, path: string): Generator<string> {
  if (typeof value === 'number' && !Number.isInteger(value) && !path.endsWith('cost_usd')) yield path;
  if (typeof value === 'object' && value !== null && !/\.(input|args|structured)$/.test(path)) {
    for (const [key, inner] of Object.entries(value)) yield* fractions(inner, `${path}.${key}`);
  }
}

function frameViolations(events: readonly TurnEvent[], exitCode: number | null): string[] {
  const found: string[] = [];
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  if (events[0]?.type !== 'start') found.push('the first event is not start');
  if (events.at(-1)?.type !== 'done') found.push('the last event is not done');
  if (count('start') !== 1) found.push(`${count('start')} start events`);
  if (count('done') !== 1) found.push(`${count('done')} done events`);
  const done = events.at(-1);
  if (done?.type === 'done' && done.exit_code !== exitCode)
    found.push(`done says ${done.exit_code}, the exit code is ${exitCode}`);
  return found;
}

/** The end: `result`, or an `error`, or both when a failed answer is still worth showing; nothing but done after it. */
function endViolations(events: readonly TurnEvent[]): string[] {
  const found: string[] = [];
  const isEnd = (event: TurnEvent): boolean =>
    event.type === 'result' || (event.type === 'error' && event.code !== 'bad-frame');
  const first = events.findIndex(isEnd);
  const done = events.at(-1);
  if (first < 0 || done?.type !== 'done') return ['no result and no error before done'];
  const tail = events.slice(first, -1);
  const shape = tail.map((event) => event.type).join(' ');
  if (!['result', 'error', 'error result'].includes(shape)) found.push(`the end is: ${shape}`);
  const error = tail.find((event) => event.type === 'error');
  const result = tail.find((event) => event.type === 'result');
  if (error !== undefined && result !== undefined && error.code !== 'runner-error')
    found.push(`result after error ${error.code}`);
  if (error !== undefined && exitOfCode[String(error.code)] !== done.exit_code)
    found.push(`error ${error.code} ends with ${done.exit_code}`);
  if (result !== undefined && error === undefined) {
    const failed = result.is_error === true;
    if (failed !== (result.subtype === 'error')) found.push('subtype and is_error disagree');
    if (failed !== (done.exit_code !== 0)) found.push(`is_error ${failed} with exit code ${done.exit_code}`);
  }
  return found;
}

function pairViolations(events: readonly TurnEvent[]): string[] {
  const found: string[] = [];
  const pair = (what: string, opens: (event: TurnEvent) => boolean, closes: (event: TurnEvent) => boolean): void => {
    const open = new Map<unknown, number>();
    for (const event of events) {
      if (opens(event)) open.set(event.id, (open.get(event.id) ?? 0) + 1);
      else if (closes(event)) open.set(event.id, (open.get(event.id) ?? 0) - 1);
      if ((open.get(event.id) ?? 0) < 0) found.push(`${what} ${event.id} ends before it starts`);
    }
    for (const [id, left] of open) if (left !== 0) found.push(`${what} ${id} has ${left} ends missing`);
  };
  const activity = (phase: string) => (event: TurnEvent) => event.type === 'tool_activity' && event.phase === phase;
  pair('tool_activity', activity('start'), activity('end'));
  pair(
    'tool_call',
    (event) => event.type === 'tool_call',
    (event) => event.type === 'tool_result',
  );
  const sessions = events.filter((event) => event.type === 'session').map((event) => event.session_id);
  if (new Set(sessions).size !== sessions.length) found.push('the same session was announced twice');
  return found;
}

function amountViolations(events: readonly TurnEvent[]): string[] {
  const found: string[] = [];
  const totals = events.at(-1)?.totals as Record<string, number | null> | undefined;
  for (const field of ['input_tokens', 'output_tokens']) {
    const values = events.filter((event) => event.type === 'usage').map((event) => event[field]);
    const known = values.filter((value): value is number => typeof value === 'number');
    if (known.some((value) => value < 0)) found.push(`a usage event has negative ${field}`);
    const sum = known.reduce((total, value) => total + value, 0);
    const total = totals?.[field];
    if (known.length > 0 && known.length === values.length && typeof total === 'number' && total !== sum) {
      found.push(`usage events sum to ${sum} ${field}, totals say ${total}`);
    }
  }
  for (const event of events) for (const path of fractions(event, event.type)) found.push(`${path} is not an integer`);
  return found;
}

/** Every rule that holds for any stream. */
export function judgeStream(stream: Stream, exitCode: number | null): string[] {
  const { events } = stream;
  return [
    ...stream.violations,
    ...frameViolations(events, exitCode),
    ...endViolations(events),
    ...pairViolations(events),
    ...amountViolations(events),
  ];
}

/** The text of the main agent, joined as a host does it: a repeated message takes the place of the one it repeats. */
export function joined(events: readonly TurnEvent[], type: 'assistant' | 'thinking' = 'assistant'): string {
  const own = events.filter((event) => event.type === type && event.parent_tool_use_id === undefined);
  const replaced = new Set<unknown>(own.map((event) => event.replaces).filter((id) => id !== undefined));
  return own
    .filter((event) => !replaced.has(event.message_id))
    .map((event) => String(event.text))
    .join('');
}
