/** The shortest way from one list to another: runs of removals and additions. */

export interface Change<Value> {
  kind: 'removed' | 'added';
  value: Value;
  /** Its place in the list it comes from. */
  at: number;
}

/** Beyond this many cells the middle is given as one whole change: nobody reads such a list. */
const CELLS = 4_000_000;

/**
 * @param keyOf values with the same key are the same
 * @returns runs of neighbouring changes; none when the lists are the same
 */
export function changes<Value>(
  before: readonly Value[],
  now: readonly Value[],
  keyOf: (value: Value) => string,
): Change<Value>[][] {
  const a = before.map(keyOf);
  const b = now.map(keyOf);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const width = endB - start + 1;
  const height = endA - start + 1;
  const tooLarge = width * height > CELLS;
  /** Length of the longest common rest from (row, column) on. */
  const table = new Uint32Array(tooLarge ? 0 : width * height);
  const at = (row: number, column: number) => table[row * width + column] ?? 0;
  for (let row = height - 2; !tooLarge && row >= 0; row--) {
    for (let column = width - 2; column >= 0; column--) {
      const same = a[start + row] === b[start + column];
      table[row * width + column] = same
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const runs: Change<Value>[][] = [];
  let run: Change<Value>[] = [];
  const flush = () => {
    if (run.length > 0) runs.push(run);
    run = [];
  };
  let [i, j] = [start, start];
  while (i < endA || j < endB) {
    const [oldValue, newValue] = [before[i], now[j]];
    if (i < endA && j < endB && !tooLarge && a[i] === b[j]) {
      flush();
      i++;
      j++;
    } else if (
      i < endA &&
      oldValue !== undefined &&
      (j >= endB || tooLarge || at(i + 1 - start, j - start) >= at(i - start, j + 1 - start))
    ) {
      run.push({ kind: 'removed', value: oldValue, at: i++ });
    } else if (newValue !== undefined) run.push({ kind: 'added', value: newValue, at: j++ });
  }
  flush();
  return runs;
}
