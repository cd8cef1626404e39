/** The one reader of logs: from a cursor on, with the word of what is gone, no faster than its entries are taken. */

import { breath } from './breath.js';
import type { Hold, LogSource } from './event-log.js';
import { CoreError } from './failure.js';
import type { Followed, FollowOptions } from './ports.js';

/** One read: small enough that parsing it never holds the event loop for long. */
const BATCH = { entries: 256, size: 256 * 1024 };

/** @throws {CoreError} bad-request when the cursor is beyond the last entry */
export function checkCursor(source: LogSource, after: number): void {
  if (after <= source.last) return;
  throw new CoreError('bad-request', `the last event is ${source.last}; there is no event ${after}`);
}

/** Reads from a cursor on, to the end of what is there, or of the run. @throws {CoreError} bad-request, see checkCursor */
export async function* follow(source: LogSource, options: FollowOptions): AsyncGenerator<Followed> {
  const { signal } = options;
  checkCursor(source, options.after);
  let leave: () => void = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  signal?.addEventListener('abort', leave, { once: true });
  const hold = options.holds === true ? (source.hold?.(options.after) ?? null) : null;
  try {
    yield* entries(source, options, left, hold);
  } finally {
    signal?.removeEventListener('abort', leave);
    hold?.release();
  }
}

async function* entries(
  source: LogSource,
  options: FollowOptions,
  left: Promise<void>,
  hold: Hold | null,
): AsyncGenerator<Followed> {
  const { signal } = options;
  let { after } = options;
  while (!signal?.aborted) {
    // Asked first: what is appended in between is then read.
    const { closed, last } = source;
    const some = source.read(after, BATCH);
    for (const entry of some) {
      if (signal?.aborted) return;
      if (entry.seq > after + 1) yield { gap: { from: after + 1, to: entry.seq - 1 } };
      after = entry.seq;
      yield { entry };
      hold?.took(entry);
      const pause = breath();
      if (pause) await pause;
    }
    if (some.length > 0) {
      // A long log must not keep others from their turn.
      if (after < last) await new Promise((resolve) => setImmediate(resolve));
      continue;
    }
    if (after < last) {
      yield { gap: { from: after + 1, to: last } };
      after = last;
      continue;
    }
    if (closed || !options.follow) return;
    await Promise.race([source.more(after), left]);
  }
}
