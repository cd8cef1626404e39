/** Versions of programs, as far as runners ask about them. */

/** Numbers, not text: "2.1.99" is older than "2.1.197". An unknown version counts as today's. */
export function isAtLeast(version: string | null, wanted: readonly number[]): boolean {
  const parts = version?.split('.').map((part) => Number.parseInt(part, 10));
  if (parts === undefined || parts.some(Number.isNaN)) return true;
  for (const [index, want] of wanted.entries()) {
    const have = parts[index] ?? 0;
    if (have !== want) return have > want;
  }
  return true;
}
