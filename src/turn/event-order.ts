/** The one way out for events: `start` first, nothing between the end and `done`, nothing after it. */

import type { Event } from '../contract/event.js';

export interface Gate {
  emit(event: Event): void;
  /** `start` is next; what was said before it follows it. */
  open(event: Event, thenSay: () => void): void;
}

export function gate(options: {
  /** `result` or `error` went out. */
  sealed(): boolean;
  over(): boolean;
  send(event: Event): void;
}): Gate {
  let early: Event[] | null = [];
  const emit = (event: Event) => {
    if (early) {
      early.push(event);
      return;
    }
    if (options.over() || (options.sealed() && event.type !== 'done')) return;
    options.send(event);
  };
  return {
    emit,
    open(event, thenSay) {
      const waiting = early ?? [];
      early = null;
      emit(event);
      thenSay();
      for (const one of waiting) emit(one);
    },
  };
}
