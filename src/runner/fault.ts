/** A runner failed in its own code. Told as its fault, not as one of turnout's. */

/** A fault in a runner's code; its message says which runner and which function. */
export class RunnerFault extends Error {
  override readonly name = 'RunnerFault';
}

/** For people: whose fault it was, with our own stack where it is ours. */
export function faultMessage(error: unknown): string {
  if (error instanceof RunnerFault) return error.message;
  return `turnout itself failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
