/** How a process ended, in words for people. */

/** @returns what follows the program's name: "ended with exit code 1", "was ended by SIGTERM" */
export function exitWords(code: number | null, signal: string | null): string {
  return signal === null ? `ended with exit code ${code ?? 'unknown'}` : `was ended by ${signal}`;
}
