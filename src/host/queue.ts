/** Events between a turn and whoever reads it: in order, with back-pressure, for one reader. */

import { UsageError } from '../contract/error.js';
import type { Event } from '../contract/event.js';

/** Characters of text that wait for the reader at which the runtime is paused, and at which it goes on. */
const HIGH_WATER = 1024 * 1024;
const LOW_WATER = 256 * 1024;

export interface EventQueue {
  push(event: Event): void;
  /** Nothing more comes. */
  end(): void;
  /** Nothing more comes, and whoever reads learns why before the first event. */
  fail(error: unknown): void;
  /** Nobody waits for events: keep what fits, hold nothing back. */
  unread(): void;
  /** Whether somebody reads. */
  taken(): boolean;
  /** @throws {UsageError} the second time */
  read(leave: () => Promise<void>): AsyncIterator<Event, void>;
}

/** A rough size: only long texts count. */
function sizeOf(event: Event): number {
  if ('text' in event && typeof event.text === 'string') return 64 + event.text.length;
  return event.type === 'tool_activity' || event.type === 'tool_call' ? JSON.stringify(event).length : 256;
}

export function eventQueue(hooks: { pause(): void; resume(): void }): EventQueue {
  let waiting: Event[] = [];
  let size = 0;
  let paused = false;
  let over = false;
  let failure: { error: unknown } | null = null;
  let taken = false;
  let ignored = false;
  let dropped = false;
  let wake: (() => void) | null = null;

  const rouse = () => {
    const run = wake;
    wake = null;
    run?.();
  };
  const resume = () => {
    if (!paused) return;
    paused = false;
    hooks.resume();
  };

  return {
    push(event) {
      if (over || dropped) return;
      waiting.push(event);
      size += sizeOf(event);
      rouse();
      if (size <= HIGH_WATER) return;
      if (ignored && !taken) {
        // Only the result is wanted.
        dropped = true;
        waiting = [];
        return;
      }
      if (paused) return;
      paused = true;
      hooks.pause();
    },
    end() {
      over = true;
      rouse();
    },
    fail(error) {
      failure = { error };
      over = true;
      rouse();
    },
    unread() {
      ignored = true;
      if (!taken) resume();
    },
    taken: () => taken,
    read(leave) {
      if (taken) throw new UsageError('the events of a turn are read once; this turn is being read already');
      if (dropped) throw new UsageError('the events of this turn were let go: read them before asking for the result');
      taken = true;
      let left = false;
      return {
        async next() {
          for (;;) {
            const event = left ? undefined : waiting.shift();
            if (event) {
              size -= sizeOf(event);
              if (size <= LOW_WATER) resume();
              return { done: false, value: event };
            }
            if (failure && !left) {
              left = true;
              throw failure.error;
            }
            if (over || left) return { done: true, value: undefined };
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        },
        async return() {
          left = true;
          waiting = [];
          size = 0;
          resume();
          rouse();
          await leave();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
