/** Puts today's events into a recording in place of the recorded ones, after a wanted change. */

import type { Event } from '../../src/contract/event.js';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { obj, parseObject, str } from '../../src/text/json.js';

/** What only the turn itself could know stays as it was recorded. */
const KEPT = ['pid', 'child_pid', 'duration_ms'];

function merged(before: JsonObject, now: JsonObject): JsonObject {
  const kept = KEPT.filter((name) => name in before && name in now).map(
    (name) => [name, before[name] ?? null] as const,
  );
  return { ...now, ...Object.fromEntries(kept) };
}

/**
 * @param text the recording
 * @param turns today's events of each turn, in the order in which the turns begin
 * @returns the new text. New events stand behind the one before them, those that no longer come are left out
 */
export function withEvents(text: string, turns: readonly (readonly Event[])[]): string {
  const order: string[] = [];
  const waiting = new Map<string, JsonObject[]>();
  const out: string[] = [];
  for (const line of text.split('\n')) {
    const entry = parseObject(line);
    const turn = str(entry, 'turn') ?? '';
    if (str(entry, 'k') === 'request') {
      waiting.set(turn, JSON.parse(JSON.stringify(turns[order.length] ?? [])));
      order.push(turn);
    }
    const before = obj(entry, 'event');
    const queue = waiting.get(turn);
    if (entry === undefined || str(entry, 'k') !== 'event' || queue === undefined || before === undefined) {
      out.push(line);
      continue;
    }
    const at = queue.findIndex((event) => event['type'] === str(before, 'type'));
    // One that no longer comes.
    if (at < 0) continue;
    for (const event of queue.splice(0, at)) out.push(JSON.stringify({ ...entry, event }));
    const [now = {}] = queue.splice(0, 1);
    out.push(JSON.stringify({ ...entry, event: merged(before, now) }));
  }
  return out.join('\n');
}
