/** The first moments of an answer, in which the status can still change. */

import { ApiError, ofTurn } from './failure.js';
import type { Piece } from './pieces.js';

/** How long the headers of a stream wait for the first piece, milliseconds. */
const HOLD_MS = 10_000;

/**
 * Waits for the first piece, so that a turn that fails at once is answered with a status and not with a stream.
 * @throws ApiError when the turn failed before it said anything
 */
export async function opened(
  pieces: AsyncGenerator<Piece, void>,
  holdMs = HOLD_MS,
): Promise<AsyncGenerator<Piece, void>> {
  const first = pieces.next();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), holdMs);
  });
  try {
    const early = await Promise.race([first, late]);
    if (early !== null) refuse(early);
  } finally {
    clearTimeout(timer);
  }
  return (async function* () {
    for (let next = await first; !next.done; next = await pieces.next()) yield next.value;
  })();
}

function refuse({ value, done }: IteratorResult<Piece, void>): void {
  if (done || value.kind !== 'end' || value.end.kind !== 'failed') return;
  throw ofTurn(value.end.error, value.end.idle);
}

/** The caller left, or the server broke the answer off, before it was whole. */
export const cutOff = (): ApiError => new ApiError(424, 'interrupted', 'The answer was broken off.');
