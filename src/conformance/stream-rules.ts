/** What holds for every stream of events, whatever the turn. Each rule gives the first thing that is wrong, or null. */

import type { JsonObject } from '../contract/vocabulary.js';
import { orderFault } from './order.js';
import type { Outcome } from './subject.js';

/** Bytes of a line that hosts take. */
const MOST_LINE = 4 * 1024 * 1024;
/** Nullable or of one type, in whatever event they stand: a host in a typed language has one struct for all. */
const TYPES: Readonly<Record<string, 'string' | 'number' | 'boolean'>> = {
  ...{ v: 'number', type: 'string', runtime: 'string', cwd: 'string', pid: 'number', access: 'string', id: 'string' },
  ...{ text: 'string', session_id: 'string', code: 'string', message: 'string', fatal: 'boolean', ok: 'boolean' },
  ...{
    exit_code: 'number',
    duration_ms: 'number',
    input_tokens: 'number',
    output_tokens: 'number',
    cost_usd: 'number',
  },
  ...{ subtype: 'string', is_error: 'boolean', stop_reason: 'string', streams_incrementally: 'boolean' },
};

function lines({ lines: all, events }: Outcome): string | null {
  if (all.length === 0) return 'prints nothing on stdout';
  if (events.length < all.length) return 'prints a line that is not a JSON object';
  const long = all.find((line) => Buffer.byteLength(line) > MOST_LINE);
  if (long !== undefined) return `prints a line of ${Buffer.byteLength(long)} bytes`;
  const odd = events.find((event) => event['v'] !== 1 || typeof event['type'] !== 'string');
  return odd === undefined ? null : `prints an event without v:1 and type: ${JSON.stringify(odd).slice(0, 120)}`;
}

function types({ events }: Outcome): string | null {
  for (const event of events)
    for (const [name, type] of Object.entries(TYPES)) {
      const value = event[name];
      // A native tool's exit code may be unknown.
      if (value === undefined || value === null || typeof value === type) continue;
      return `has a ${name} that is a ${typeof value} in ${String(event['type'])}`;
    }
  return null;
}

function exit({ events, code }: Outcome): string | null {
  const told = events.at(-1)?.['exit_code'];
  return told === code ? null : `says exit code ${String(told)} and exits with ${code}`;
}

/** A refusal before the start may be without one in the original protocol. */
const started = (events: readonly JsonObject[]): readonly JsonObject[] =>
  events[0]?.['type'] === 'error' ? [{ v: 1, type: 'start' }, ...events] : events;

/** @returns the first thing that is wrong, null when nothing is */
export function streamFault(outcome: Outcome): string | null {
  if (outcome.late) return 'never ends';
  const order = () => {
    const fault = orderFault(started(outcome.events));
    return fault === null ? null : `the stream ${fault}`;
  };
  const left = () => ((outcome.left ?? []).length > 0 ? `leaves ${outcome.left?.length} processes behind` : null);
  return lines(outcome) ?? types(outcome) ?? order() ?? exit(outcome) ?? left();
}
