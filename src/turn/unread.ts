/** Counts what a runtime printed and nobody could read, for the message of a failure. */

import type { Unread } from '../contract/event.js';

/** Enough to see what kind of line it was. */
const SHOWN = 200;

export interface UnreadLines {
  add(line: string): void;
  /** How many there were and how the last one began; null when there was none. */
  told(): Unread | null;
}

/** @param mask takes secrets out of the line that is shown */
export function unreadLines(mask: (text: string) => string): UnreadLines {
  let count = 0;
  let last = '';
  return {
    add(line) {
      count++;
      last = line;
    },
    told: () => (count === 0 ? null : { count, last: mask(last).slice(0, SHOWN) }),
  };
}
