/** What every server process does about signals and faults. */

/** Milliseconds: more than ending all runs may take. */
const HARD_MS = 5000;

/**
 * Resolves at the first signal that ends a server; `again` is called at every one. From the second one on, whatever keeps
 * us from a clean end is not waited for much longer.
 */
export function signalled(again: () => void = () => {}): Promise<void> {
  let signals = 0;
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const) {
      process.on(signal, () => {
        signals += 1;
        resolve();
        again();
        if (signals === 2) setTimeout(() => process.exit(1), HARD_MS).unref();
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
