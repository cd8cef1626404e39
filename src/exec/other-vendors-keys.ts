import type { Runner } from '../runner/runner.js';

/** Provider keys that belong to others; a program that speaks to any provider owns all. */
export function foreignKeys(runner: Runner, all: readonly Runner[]): string[] {
  const { keys } = runner;
  if (keys === 'all') return [];
  const own = new Set(keys);
  return all.flatMap((other) => (other.keys === 'all' ? [] : other.keys)).filter((key) => !own.has(key));
}
