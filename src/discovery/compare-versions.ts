/** Version order, numeric part by part. Agent programs also use dates and hashes, so more or fewer than three parts are fine. */

interface Version {
  numbers: number[];
  /** What follows the first `-`; empty for a release. */
  tail: string[];
}

function parse(text: string): Version | null {
  const found = /^[v=\s]*(\d+(?:\.\d+)*)(?:-([0-9A-Za-z.-]+))?/.exec(text);
  if (found === null) return null;
  return { numbers: (found[1] ?? '').split('.').map(Number), tail: found[2]?.split('.') ?? [] };
}

/** @returns below, above or 0; null when either text does not begin with a number */
export function compareVersions(left: string, right: string): number | null {
  const a = parse(left);
  const b = parse(right);
  if (a === null || b === null) return null;
  for (let at = 0; at < Math.max(a.numbers.length, b.numbers.length); at += 1) {
    const difference = (a.numbers[at] ?? 0) - (b.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  // A pre-release comes before its release.
  if (a.tail.length === 0 || b.tail.length === 0) return Number(a.tail.length === 0) - Number(b.tail.length === 0);
  for (let at = 0; at < Math.max(a.tail.length, b.tail.length); at += 1) {
    const difference = compareWords(a.tail[at], b.tail[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareWords(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  const numbers = [a, b].map((word) => (/^\d+$/.test(word) ? Number(word) : null));
  const [left = null, right = null] = numbers;
  if (left !== null && right !== null) return left - right;
  if (left !== null || right !== null) return left !== null ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Whether a version is newer than all that were tested; null when that can't be told. */
export function newerThanTested(version: string | null, tested: readonly string[]): boolean | null {
  if (version === null) return null;
  const order = tested.map((one) => compareVersions(version, one)).filter((one) => one !== null);
  return order.length === 0 ? null : order.every((one) => one > 0);
}

/** Newest first; names that are no version come last, in alphabetical order. */
export function newestFirst(names: readonly string[]): string[] {
  const versions = names.filter((name) => parse(name) !== null);
  const words = names.filter((name) => parse(name) === null).sort();
  return [...versions.sort((a, b) => compareVersions(b, a) ?? 0), ...words];
}
