/** What differs between a recorded turn and the same turn run again, for people. */

import type { Event } from '../contract/event.js';
import type { Json } from '../contract/vocabulary.js';
import { isObject } from '../text/json.js';
import { type Change, changes } from './changes.js';
import { comparable, type Recording } from './recording.js';
import type { Replayed } from './replay.js';

const SHOWN = 160;
/** Differences that are shown in full; a changed translator often changes every line alike. */
const MOST = 20;

const short = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
const shown = (value: Json | undefined): string => (value === undefined ? 'absent' : short(JSON.stringify(value)));

/** An event as plain JSON, without what differs from run to run. */
function plain(event: Event): Json {
  const value: Json = JSON.parse(JSON.stringify(comparable(event)));
  return value;
}

/** The paths in which two values differ. */
function fields(before: Json, now: Json, path: string): string[] {
  if (JSON.stringify(before) === JSON.stringify(now)) return [];
  if (isObject(before) && isObject(now)) {
    return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((key) => {
      const [a, b] = [before[key], now[key]];
      if (a !== undefined && b !== undefined) return fields(a, b, `${path}.${key}`);
      return [`${path}.${key}: ${shown(a)} → ${shown(b)}`];
    });
  }
  return [`${path}: ${shown(before)} → ${shown(now)}`];
}

/** The native line that came last before an entry. */
function nativeBefore(recording: Recording, index: number): string {
  for (let at = index; at >= 0; at--) {
    const entry = recording.entries[at];
    if (entry?.k === 'out' || entry?.k === 'err') {
      const number = recording.entries.slice(0, at + 1).filter(({ k }) => k === entry.k).length;
      return `after line ${number} of ${entry.k === 'out' ? 'stdout' : 'stderr'} (${entry.t} ms): ${short(entry.line)}`;
    }
    if (entry?.k === 'exit') return `after the exit (${entry.t} ms)`;
  }
  return 'before the first native line';
}

/** Removals and additions of the same type, side by side, are one changed event. */
function lines(hunk: readonly Change<Event>[]): string[] {
  const out: string[] = [];
  const added = hunk.filter(({ kind }) => kind === 'added').map(({ value }) => value);
  for (const change of hunk) {
    if (change.kind !== 'removed') continue;
    const at = added.findIndex(({ type }) => type === change.value.type);
    const [other] = at < 0 ? [] : added.splice(at, 1);
    if (other) out.push(...fields(plain(change.value), plain(other), change.value.type).map((line) => `  ~ ${line}`));
    else out.push(`  - ${shown(plain(change.value))}`);
  }
  return [...out, ...added.map((event) => `  + ${shown(plain(event))}`)];
}

/**
 * @param mask takes credentials out of today's events, as the recorder did with those it wrote
 * @returns null when the turn is the same
 */
export function driftReport(recording: Recording, replayed: Replayed, mask: (text: string) => string): string | null {
  const told = recording.entries.flatMap((entry, index) =>
    entry.k === 'event' ? [{ event: entry.event, index }] : [],
  );
  const same = (event: Event) => mask(JSON.stringify(comparable(event)));
  const hunks = changes(
    told.map(({ event }) => event),
    replayed.events,
    same,
  );
  if (hunks.length === 0) return null;
  const parts = hunks.slice(0, MOST).map((hunk) => {
    const first = hunk[0];
    const index = first?.kind === 'removed' ? told[first.at]?.index : replayed.causes[first?.at ?? 0];
    return [nativeBefore(recording, index ?? -1), ...lines(hunk)].join('\n');
  });
  if (hunks.length > MOST) parts.push(`… and ${hunks.length - MOST} more places`);
  const count = `${told.length} events were recorded, ${replayed.events.length} come now`;
  return [...parts, count].join('\n');
}
