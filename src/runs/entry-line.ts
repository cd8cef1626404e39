/** The line of a stored event. Made once, however many readers pass it on. */

import type { Event } from '../contract/event.js';
import { eventLine } from '../text/event-line.js';

const lines = new WeakMap<Event, string>();

/** Without the newline. Events are never changed once they have a number. */
export function entryLine(event: Event): string {
  const known = lines.get(event);
  if (known !== undefined) return known;
  const line = eventLine(event).slice(0, -1);
  lines.set(event, line);
  return line;
}
