/** A patch's files as old and new text: whole where a file is added or deleted, else the lines around each change. */

import type { Diff, ToolCallLocation } from '@agentclientprotocol/sdk/unstable';
import type { Json } from '../../contract/vocabulary.js';
import { str } from '../../text/json.js';

const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

interface Hunk {
  line: number;
  before: string[];
  after: string[];
}

/** @returns the hunks of a unified diff of one file; none when it is none */
function hunksOf(diff: string): Hunk[] {
  const hunks: Hunk[] = [];
  for (const text of diff.split('\n')) {
    const start = HUNK.exec(text);
    if (start) {
      hunks.push({ line: Number(start[1]), before: [], after: [] });
      continue;
    }
    const hunk = hunks.at(-1);
    if (!hunk || text.startsWith('\\')) continue;
    if (text.startsWith('-')) hunk.before.push(text.slice(1));
    else if (text.startsWith('+')) hunk.after.push(text.slice(1));
    else if (text.startsWith(' ')) {
      hunk.before.push(text.slice(1));
      hunk.after.push(text.slice(1));
    }
  }
  return hunks;
}

/** @param files canonical: file_path, action (add, update, delete), diff, which is the content where nothing is updated */
export function patchDiffs(
  files: readonly Json[],
  absolute: (path: string) => string,
): { diffs: Diff[]; locations: ToolCallLocation[] } {
  const diffs: Diff[] = [];
  const locations: ToolCallLocation[] = [];
  for (const file of files) {
    const named = str(file, 'move_path') ?? str(file, 'file_path');
    if (named === undefined) continue;
    const path = absolute(named);
    const text = str(file, 'diff');
    const hunks = text === undefined ? [] : hunksOf(text);
    if (hunks.length === 0) {
      locations.push({ path });
      const action = str(file, 'action');
      if (text !== undefined && action === 'add') diffs.push({ path, oldText: null, newText: text });
      if (text !== undefined && action === 'delete') diffs.push({ path, oldText: text, newText: '' });
      continue;
    }
    for (const { line, before, after } of hunks) {
      locations.push({ path, line });
      diffs.push({ path, oldText: before.join('\n'), newText: after.join('\n') });
    }
  }
  return { diffs, locations };
}
