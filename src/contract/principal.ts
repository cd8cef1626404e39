/** Whom a request comes from. Runs, sessions and keys belong to a principal. */

/**
 * - `owner`: the person the server runs for: callers on stdio and on the private Unix socket, and who shows the server's own token
 * - `key`: a named key that the owner gave out
 * - `guest`: a key for somebody who may not use the owner's logins
 */
export const PRINCIPAL_KINDS = ['owner', 'key', 'guest'] as const;
export type PrincipalKind = (typeof PRINCIPAL_KINDS)[number];

export interface Principal {
  /** Unique on one server; `owner` for the owner. */
  readonly name: string;
  readonly kind: PrincipalKind;
  /** What its owner allows it; anything when absent. */
  readonly limits?: PrincipalLimits;
}

export interface PrincipalLimits {
  /** Turns under way at once. */
  readonly concurrency?: number;
  /** What its turns may cost in 24 hours. */
  readonly budgetUsd?: number;
}

/** The person the server runs for. */
export const OWNER: Principal = { name: 'owner', kind: 'owner' };
