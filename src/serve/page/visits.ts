/**
 * Who looks at the page. A code from `turnout page` works once and is exchanged for a visit: a cookie that scripts can't
 * read and a nonce that every request must show besides. The cookie alone is not enough, since cookies know no ports: any
 * other server on 127.0.0.1 gets ours. The nonce alone is not enough either, since scripts can read it.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../contract/principal.js';
import { type Tickets, tickets } from '../listen/tickets.js';

export interface Visit {
  id: string;
  nonce: string;
}

export interface Visits {
  /** @returns a code that works once, for a minute */
  invite(principal: Principal): string;
  /** @returns null when the code is unknown, was used, or is too old */
  enter(code: string): Visit | null;
  /** Whose visit it is. Null: there is no such visit, it is over, or the nonce is another one. */
  of(id: string, nonce: string): Principal | null;
  leave(id: string): void;
}

/** Milliseconds that a code works. */
const CODE_MS = 60_000;
/** Milliseconds that a visit lasts. */
export const VISIT_MS = 12 * 60 * 60 * 1000;
/** Visits at once; the oldest goes. */
const MOST = 100;

const secret = (): string => randomBytes(24).toString('base64url');
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** @param now milliseconds of a clock that does not run back */
export function visits(now: () => number = () => performance.now()): Visits {
  const codes: Tickets = tickets(CODE_MS, now);
  const open = new Map<string, { principal: Principal; nonce: Buffer; until: number }>();
  return {
    invite: (principal) => codes.issue(principal),
    enter(code) {
      const principal = codes.redeem(code);
      if (principal === null) return null;
      for (const [id, { until }] of open) if (until <= now() || open.size >= MOST) open.delete(id);
      const [id, nonce] = [secret(), secret()];
      open.set(id, { principal, nonce: digest(nonce), until: now() + VISIT_MS });
      return { id, nonce };
    },
    of(id, nonce) {
      const found = open.get(id);
      if (!found || found.until <= now()) return null;
      return timingSafeEqual(found.nonce, digest(nonce)) ? found.principal : null;
    },
    leave: (id) => void open.delete(id),
  };
}
