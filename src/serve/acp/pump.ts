/** Reads a run's events as they come, with what a runtime told between them, as fast as the client takes them. */

import type { Event } from '../../contract/event.js';
import type { Run } from '../../runs/run.js';
import { parseObject } from '../../text/json.js';
import type { Note } from './notes.js';

/** How far the client may be behind before the runtime is held back, and from where on it goes on. UTF-16 units. */
const HIGH = 4 * 1024 * 1024;
const LOW = 1024 * 1024;

const isEvent = (value: unknown): value is Event => typeof value === 'object' && value !== null && 'type' in value;

/** @param options.notes grows while we read; what was passed on is taken out */
export async function pump(options: {
  run: Run;
  notes: Note[];
  /** Resolves when there is another note. */
  more(): Promise<void>;
  event(event: Event): Promise<void>;
  note(note: Note): Promise<void>;
}): Promise<void> {
  const { run, notes } = options;
  const { log } = run;
  let after = 0;
  let taken = 0;
  let paused = false;
  const own = async (upTo: number) => {
    while (notes[0] !== undefined && notes[0].after <= upTo) {
      const note = notes.shift();
      if (note) await options.note(note);
    }
  };
  /** Looks at every event, also while the client stalls. */
  const watch = async () => {
    for (let seen = 0; !log.closed; seen = log.last) {
      await log.more(seen);
      if (paused || log.size - taken <= HIGH) continue;
      paused = true;
      run.pause();
    }
  };
  const watching = watch();
  for (;;) {
    const entries = log.read(after);
    for (const { seq, json } of entries) {
      await own(seq - 1);
      const event: unknown = parseObject(json);
      if (isEvent(event)) await options.event(event);
      after = seq;
      taken += json.length;
      if (paused && log.size - taken < LOW) {
        paused = false;
        run.resume();
      }
    }
    if (entries.length > 0) continue;
    await own(after);
    if (log.closed && after >= log.last) break;
    if (notes.length === 0) await Promise.race([log.more(after), options.more()]);
  }
  await own(Number.POSITIVE_INFINITY);
  await watching;
}
