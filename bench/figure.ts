/** One measured number and what it should be. */

export interface Figure {
  /** What is measured, for people. */
  what: string;
  /** Null: it could not be measured here; `shown` says why. */
  value: number | null;
  /** The number with its unit. */
  shown: string;
  /** The most or the least it should be; absent where there is nothing to reach. */
  most?: number;
  least?: number;
  /** The target as it is written. */
  target?: string;
  /** How it was measured, or another number beside it. */
  note?: string;
}

export interface Bench {
  /** The project folder. */
  root: string;
  /** How often each thing is measured. */
  runs: number;
}

/** A group of figures that are measured together, by the name that `--only` takes. */
export interface Row {
  id: string;
  measure(bench: Bench): Promise<Figure[]>;
}

export const times = (value: number): string => `${value.toFixed(2)}×`;
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
export const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 20 ? 2 : 1)} MiB`;

export function skipped(what: string, why: string): Figure {
  return { what, value: null, shown: `SKIPPED: ${why}` };
}

/** Null where there is nothing to reach or nothing was measured. */
export function isMet({ value, most, least }: Figure): boolean | null {
  if (value === null || (most === undefined && least === undefined)) return null;
  return (most === undefined || value <= most) && (least === undefined || value >= least);
}
