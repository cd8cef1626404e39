/** Figures and times as people read them. What is not known is said so. */

export function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.floor(ms / 60_000);
  return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`;
}

/** @returns e.g. `$0.0071`; `unknown` for null, never 0 */
export function cost(usd: number | null): string {
  if (usd === null) return 'unknown';
  if (usd > 0 && usd < 0.0001) return '< $0.0001';
  return `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}

export function tokens(count: number | null): string {
  if (count === null) return 'unknown';
  if (count < 1000) return String(count);
  return count < 1_000_000
    ? `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`
    : `${(count / 1_000_000).toFixed(1)}M`;
}

/** The last parts of a path. */
export function folder(path: string, parts = 2): string {
  const all = path.split(/[/\\]/).filter((part) => part !== '');
  return all.length <= parts ? path : `…/${all.slice(-parts).join('/')}`;
}

export const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';
