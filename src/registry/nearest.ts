/** "Did you mean": the ids that look most like a name nobody answers to. */

import type { Runner } from '../runner/runner.js';
import { editDistance } from '../text/nearest.js';

/** More changes than that are another word. */
const FAR = 3;
const MOST = 3;

/** @returns up to three ids, the most similar first; a name that is the beginning of an id, or the other way round, counts as near */
export function nearestIds(name: string, among: readonly Runner[]): string[] {
  const wanted = name.trim().toLowerCase();
  if (wanted === '') return [];
  const near = among.flatMap((runner) => {
    const distance = Math.min(
      ...[runner.id, ...(runner.aliases ?? [])].map((one) => distanceTo(wanted, one.toLowerCase())),
    );
    return distance <= FAR ? [{ id: runner.id, distance }] : [];
  });
  return near
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST)
    .map((one) => one.id);
}

function distanceTo(wanted: string, id: string): number {
  const starts = wanted.length > 1 && (id.startsWith(wanted) || wanted.startsWith(id));
  const changes = editDistance(wanted, id);
  // Three changes to a word of four letters are no likeness.
  const like = changes * 2 <= Math.max(wanted.length, id.length) ? changes : FAR + 1;
  return starts ? Math.min(1, like) : like;
}
