/** What is piped into `turnout run` beside the words of the command line. */

import { readInputStream } from '../request/input-file.js';
import type { Place } from '../request/place.js';

/** How long a pipe may stay silent before the turn begins without it, in milliseconds. */
const FIRST_BYTE_MS = 3000;

export interface Piped {
  stdin(): AsyncIterable<Uint8Array>;
  /** Whether stdin is a pipe, a socket or a file, and so is added to the prompt. */
  stdinIsPiped: boolean;
  /** Milliseconds that a silent pipe is waited for; 3000 when absent. */
  firstByteMs?: number;
  /** Says something to the person, beside the answer. */
  note(message: string): void;
}

async function* rest(first: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

/**
 * Everything up to the end of the pipe.
 * @returns null for a pipe that somebody holds open and says nothing on
 */
async function pipedText(
  { stdin, firstByteMs = FIRST_BYTE_MS }: Piped,
  at: Place,
  limit: number,
): Promise<string | null> {
  const chunks = stdin()[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), firstByteMs);
  });
  const first = await Promise.race([chunks.next(), silent]);
  clearTimeout(timer);
  if (first === null) return null;
  return first.done ? '' : readInputStream(rest(first.value, chunks), at, limit, 'may be empty');
}

/**
 * The prompt with what was piped in, as a block of its own, so that the agent can tell the two apart.
 * @param limit bytes that may be piped in
 * @throws UsageError when it is more
 */
export async function withPiped(prompt: string, around: Piped, at: Place, limit: number): Promise<string> {
  if (!around.stdinIsPiped) return prompt;
  const text = await pipedText(around, at, limit);
  if (text === null) {
    around.note('stdin is open but nothing came on it, so it was left out; </dev/null skips the wait');
  }
  if (text === null || text.trim() === '') return prompt;
  return `${prompt}\n\n<stdin>\n${text}${text.endsWith('\n') ? '' : '\n'}</stdin>`;
}
