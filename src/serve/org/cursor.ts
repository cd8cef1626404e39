/** Where reading an org's log begins: `--since`. */

import { UsageError } from '../../contract/error.js';

export type Since = { id: string } | { at: number };

const TIME = /^(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * An event's id, or a time in the form of RFC 3339 with up to nine digits of a second.
 * @returns the first millisecond that is not before the time @throws UsageError
 */
export function readSince(given: string): Since {
  if (given.startsWith('run-')) return { id: given };
  const [, seconds, fraction = '', zone] = TIME.exec(given) ?? [];
  const base = seconds === undefined ? Number.NaN : Date.parse(`${seconds}${zone}`.toUpperCase());
  if (Number.isNaN(base)) {
    const shown = JSON.stringify(given.slice(0, 80));
    throw new UsageError(`--since: expected the id of an event or a time such as 2026-01-31T08:00:00Z, not ${shown}`);
  }
  const nanos = Number(fraction.padEnd(9, '0'));
  return { at: base + Math.ceil(nanos / 1_000_000) };
}
