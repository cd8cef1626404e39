/** The lines a turnout prints → events. What this client does not know is not for it. */

import type { Event } from '../contract/event.js';
import { lineSplitter } from '../text/lines.js';
import { readEvent } from '../text/read-event.js';

/** Four times what a line may have: a newer turnout may have reasons. */
const LONGEST = 4 * 1024 * 1024;

/** @returns takes chunks of stdout; `end` reads a last line without its newline */
export function readEvents(hear: (event: Event) => void): { push(chunk: Uint8Array): void; end(): void } {
  return lineSplitter({
    max: LONGEST,
    onLine(text) {
      const event = readEvent(text);
      if (event !== null) hear(event);
    },
    onDropped: () => {},
  });
}
