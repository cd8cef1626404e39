/** Why something that was asked of the core is not done. Surfaces map the reason to their own codes. */

export const REASONS = [
  'not-found',
  /** The run is over, or not at the point where that makes sense. */
  'not-active',
  /** No such question or call is open. */
  'not-pending',
  'unsupported',
  /** The same idempotency key came with another request. */
  'conflict',
  /** As many runs as may be are under way or waiting: try again later. */
  'busy',
  /** A turn of the session is under way, and the caller did not want to wait for it. */
  'session-busy',
  /** The store can't be written, so nothing can be promised. */
  'store',
  /** The server is about to end. */
  'draining',
  /** A guest asked for a runtime that uses the owner's login. */
  'credential-owner',
  /** The key that asks has used its budget. */
  'budget',
  'bad-request',
] as const;
export type Reason = (typeof REASONS)[number];

export class CoreError extends Error {
  constructor(
    readonly reason: Reason,
    message: string,
  ) {
    super(message);
    this.name = 'CoreError';
  }

  /** From what another process wrote. */
  static of(reason: string, message: string): CoreError {
    return new CoreError(REASONS.find((one) => one === reason) ?? 'bad-request', message);
  }
}
