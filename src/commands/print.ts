/**
 * Prints and waits until the reader took it; a reader that left (`| head`) is no error.
 * @throws what else went wrong, e.g. a full disk
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // A failed write comes to its callback and as an event, and the event alone would end us.
    process.stdout.on('error', () => {});
    process.stdout.write(text, (error) => {
      if (error && !('code' in error && error.code === 'EPIPE')) reject(error);
      else resolve();
    });
  });
}
