/** "Did you mean": the ids that look most like a name nobody answers to. */

import type { Runner } from '../runner/runner.js';

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

/** Letters to insert, delete, replace or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const here = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        (above[column] ?? 0) + 1,
        (here[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) best = Math.min(best, (before[column - 2] ?? 0) + 1);
      here.push(best);
    }
    before = above;
    above = here;
  }
  return above[b.length] ?? 0;
}
