/** A run's events → reply lines, as fast as the reader takes them. */

import type { FollowOptions } from '../../runs/ports.js';
import type { OpContext } from './op.js';

/** @returns the number of the last event that was passed on @throws {CoreError} not-found, bad-request */
export async function passOn(
  { core, caller, reply }: Pick<OpContext, 'core' | 'caller' | 'reply'>,
  id: string,
  options: Omit<FollowOptions, 'signal'>,
): Promise<number> {
  let last = options.after;
  for await (const one of core.log.follow(id, { ...options, signal: reply.signal }, caller)) {
    if ('gap' in one) {
      reply.gap(one.gap.from, one.gap.to);
      last = one.gap.to;
      continue;
    }
    reply.event(one.entry);
    last = one.entry.seq;
    await reply.ready();
  }
  return last;
}
