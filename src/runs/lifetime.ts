/** What every server process does about signals and faults. */

/** Resolves at the first signal that ends a server; `again` is called at every one. */
export function signalled(again: () => void = () => {}): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const) {
      process.on(signal, () => {
        resolve();
        again();
      });
    }
  });
}

/** One request's fault must not take the others along: it is told, with where it happened. */
export function outliveFaults(tell: (text: string) => void): void {
  const fault = (error: unknown) => tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
  // A stderr that nobody reads is no reason to end.
  process.stderr.on('error', () => {});
  process.on('uncaughtException', fault);
  process.on('unhandledRejection', fault);
}
