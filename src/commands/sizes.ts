/** Sizes as people write and read them. */

import { UsageError } from '../contract/error.js';

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB'] as const;

/** `4.2 MiB` */
export function shownBytes(bytes: number): string {
  const step = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${step === 0 ? bytes : (bytes / 1024 ** step).toFixed(1)} ${UNITS[step]}`;
}

const FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

/** Bytes; null for 0, which is no limit. @throws UsageError */
export function byteLimit(flag: string, text: string | undefined, fallback: number | null): number | null {
  if (text === undefined) return fallback;
  const [, figure = '', unit = ''] = /^(\d+(?:\.\d+)?)([kmg]i?b)?$/i.exec(text) ?? [];
  const bytes = Math.round(Number(figure) * (FACTORS[unit.toLowerCase()] ?? Number.NaN));
  if (figure === '' || !Number.isSafeInteger(bytes))
    throw new UsageError(`--${flag} is a size such as 500MB, 2GiB or 0, not ${JSON.stringify(text.slice(0, 80))}`);
  return bytes === 0 ? null : bytes;
}
