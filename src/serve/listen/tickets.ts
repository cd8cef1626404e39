/** Tickets: secrets that work once and soon expire, for places where a token must not stand, such as an address. */

import { randomBytes } from 'node:crypto';
import type { Principal } from '../../contract/principal.js';

export interface Tickets {
  /** @returns a ticket for this principal */
  issue(principal: Principal): string;
  /** @returns whose it was, the first time and in time; null otherwise */
  redeem(ticket: string): Principal | null;
}

/** Unused tickets kept; more push out the oldest. */
const MOST = 1000;

/**
 * @param lifeMs how long a ticket works
 * @param now milliseconds of any clock that does not run back
 */
export function tickets(lifeMs: number, now: () => number = () => performance.now()): Tickets {
  const open = new Map<string, { principal: Principal; until: number }>();
  return {
    issue(principal) {
      for (const [ticket, { until }] of open) if (until <= now() || open.size >= MOST) open.delete(ticket);
      const ticket = randomBytes(24).toString('base64url');
      open.set(ticket, { principal, until: now() + lifeMs });
      return ticket;
    },
    redeem(ticket) {
      const found = open.get(ticket);
      open.delete(ticket);
      return found && found.until > now() ? found.principal : null;
    },
  };
}
