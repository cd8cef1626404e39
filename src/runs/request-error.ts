/** What is wrong with a request, in words for its caller. Ends it with exit code 2, or 1 where the request was fine and the world was not. */
export class RequestError extends Error {
  constructor(
    message: string,
    readonly exit: 1 | 2 = 2,
    readonly code?: string,
  ) {
    super(message);
    this.name = 'RequestError';
  }
}
