/** A run's events as they come, with what a runtime told between them. */

import type { Event } from '../../contract/event.js';
import type { Followed } from '../../runs/ports.js';
import type { Note } from './notes.js';

/** @param options.notes grows while we read; what was passed on is taken out */
export async function interleave(options: {
  events: AsyncIterable<Followed>;
  notes: Note[];
  /** Resolves when there is another note. */
  more(): Promise<void>;
  event(event: Event): Promise<void>;
  note(note: Note): Promise<void>;
}): Promise<void> {
  const { notes } = options;
  let after = 0;
  const own = async (upTo: number) => {
    while (notes[0] !== undefined && notes[0].after <= upTo) {
      const note = notes.shift();
      if (note) await options.note(note);
    }
  };
  const reading = options.events[Symbol.asyncIterator]();
  let next = reading.next();
  for (;;) {
    const noted = options.more().then(() => null);
    await own(after);
    const one = await Promise.race([next, noted]);
    if (one === null) continue;
    if (one.done === true) break;
    next = reading.next();
    if ('gap' in one.value) {
      after = one.value.gap.to;
      continue;
    }
    const { seq, event } = one.value.entry;
    await own(seq - 1);
    await options.event(event);
    after = seq;
  }
  await own(Number.POSITIVE_INFINITY);
}
