/** Durations as flags give them. */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Milliseconds of `250ms`, `1.5s`, `10m`, `2h` or a bare number of seconds; null when it is none of these.
 * 0 means no limit, so what is longer than nothing never becomes 0.
 */
export function parseDuration(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text);
  if (!match) return null;
  const value = Number(match[1]) * (UNITS[match[2] ?? 's'] ?? 1000);
  if (!Number.isSafeInteger(Math.round(value))) return null;
  return value > 0 ? Math.max(1, Math.round(value)) : 0;
}
