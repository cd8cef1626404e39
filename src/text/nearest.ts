/** Guesses what a mistyped word was meant to be. */

/** Edits (insert, delete, replace, swap of neighbours) from one word to the other. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = above;
    above = row;
  }
  return above[b.length] ?? 0;
}

/**
 * The known words a typed one is closest to, best first, at most `most`; none when all are far off (more than a third
 * of the word's letters would have to change, and it is no beginning of theirs).
 */
export function nearestWords(typed: string, known: readonly string[], most = 3): string[] {
  const word = typed.slice(0, 64).toLowerCase();
  const allowed = Math.floor((word.length + 1) / 3);
  return known
    .map((candidate) => {
      const begins = word.length >= 3 && candidate.toLowerCase().startsWith(word);
      return { candidate, far: begins ? 0.5 : editDistance(word, candidate.toLowerCase()) };
    })
    .filter(({ far }) => far <= allowed)
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}
