/** Which request a JSON-RPC message was that is too large to be read. */

const BEFORE_PARAMS =
  /^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*(-?\d{1,15}|"[^"\\]{1,200}")\s*[,}]/;

/**
 * Its id, where that stands before the parameters, as it does in what the protocols' own libraries send. An id further
 * inside may be anything.
 * @param head how the message began
 * @returns null when it can't be known
 */
export function idOfOversized(head: string): string | number | null {
  const told = BEFORE_PARAMS.exec(head)?.[1];
  if (told === undefined) return null;
  return told.startsWith('"') ? told.slice(1, -1) : Number(told);
}
