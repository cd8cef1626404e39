/** Who waits for a run, and what happens when nobody does any more. */

import type { Attendance } from './ports.js';

export interface Attendants {
  /** One more caller waits. */
  attend(): Attendance;
  /** The run goes on whoever waits. */
  detach(): void;
  /** The run is over. */
  close(): void;
}

/**
 * @param options.graceMs how long the run goes on after the last caller left; 0 is not at all
 * @param options.deaf nobody can answer any more
 * @param options.left nobody waits any more
 */
export function attendants(options: { graceMs: number; deaf(): void; left(): void }): Attendants {
  const hearing = new Set<object>();
  const waiting = new Set<object>();
  let detached = false;
  let over = false;
  let grace: NodeJS.Timeout | undefined;

  function silent(one: object): void {
    if (!hearing.delete(one) || hearing.size > 0 || detached || over) return;
    options.deaf();
  }
  return {
    attend() {
      const one = {};
      hearing.add(one);
      waiting.add(one);
      clearTimeout(grace);
      return {
        deaf: () => silent(one),
        leave() {
          if (!waiting.delete(one)) return;
          const last = waiting.size === 0 && !detached && !over;
          // Whoever comes back within the grace time may answer what is open.
          if (last && options.graceMs > 0) {
            hearing.delete(one);
            grace = setTimeout(options.left, options.graceMs);
            return;
          }
          if (last) {
            hearing.delete(one);
            return options.left();
          }
          silent(one);
        },
      };
    },
    detach() {
      detached = true;
      clearTimeout(grace);
    },
    close() {
      over = true;
      clearTimeout(grace);
    },
  };
}
