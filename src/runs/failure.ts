/** Why something that was asked of the core is not done. Surfaces map the reason to their own codes. */

export type Reason =
  | 'not-found'
  /** The run is over, or not at the point where that makes sense. */
  | 'not-active'
  /** No such question or call is open. */
  | 'not-pending'
  | 'unsupported'
  /** The same idempotency key came with another request. */
  | 'conflict'
  /** The queue is full. */
  | 'busy'
  /** The server is about to end. */
  | 'draining'
  | 'bad-request';

export class CoreError extends Error {
  constructor(
    readonly reason: Reason,
    message: string,
  ) {
    super(message);
    this.name = 'CoreError';
  }
}
