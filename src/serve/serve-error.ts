/** Why the server can't begin: exit code 2. */
export class ServeError extends Error {
  /** @param protocol told on stdout too, as an answer of the protocol */
  constructor(
    message: string,
    readonly protocol = false,
  ) {
    super(message);
    this.name = 'ServeError';
  }
}
