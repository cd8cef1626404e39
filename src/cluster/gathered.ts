/** Entries of a log, read in pieces until there are enough of them. */

import { entryLine } from '../runs/entry-line.js';
import type { LogEntry } from '../runs/records.js';

/**
 * @param limits at most so many entries, and so many characters, but at least one entry
 * @param chunk entries that are asked for at once
 * @param page reads the next entries behind a number; fewer than asked for are the last
 */
export async function gathered(
  after: number,
  limits: { entries: number; size: number },
  chunk: number,
  page: (from: number, count: number) => Promise<LogEntry[]>,
): Promise<LogEntry[]> {
  const taken: LogEntry[] = [];
  let size = 0;
  for (let from = after; taken.length < limits.entries; ) {
    const count = Math.min(chunk, limits.entries - taken.length);
    const some = await page(from, count);
    for (const entry of some) {
      size += entryLine(entry.event).length;
      if (taken.length > 0 && size > limits.size) return taken;
      taken.push(entry);
      from = entry.seq;
    }
    if (some.length < count) break;
  }
  return taken;
}
