/** Figures and moments as people read them, the same everywhere. Unknown is a dash. */

const two = (figure: number): string => String(figure).padStart(2, '0');

/** `2026-11-30 14:05`, in the time of this place. */
export function localTime(at: Date | string | number): string {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** @param ms milliseconds */
export function duration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 100) return `${seconds}s`;
  return seconds < 6000 ? `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s` : `${(seconds / 3600).toFixed(1)}h`;
}

/** `$0.0071`, `$1.20`; a cost that rounds to nothing says so. */
export function dollars(cost: number | null | undefined): string {
  if (cost === null || cost === undefined) return '-';
  if (cost > 0 && cost < 0.0001) return 'under $0.0001';
  return `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
}

/** `980`, `12.4k`, `1.2M` */
export function tokens(count: number | null | undefined): string {
  if (count === null || count === undefined) return '-';
  if (count < 1000) return String(count);
  return count < 999_950 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
