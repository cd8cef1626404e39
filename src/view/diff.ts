/** Changes as files, hunks and lines, from a tool's input or a patch. Pure. */

import { parsePatch, type StructuredPatch, structuredPatch } from 'diff';
import type { JsonObject, ToolKind } from '../contract/vocabulary.js';
import { arr, str } from '../text/json.js';

export interface DiffLine {
  kind: 'same' | 'add' | 'del';
  text: string;
  /** 1-based; null on the side where the line is not. */
  old: number | null;
  fresh: number | null;
}

export interface DiffFile {
  path: string;
  added: number;
  removed: number;
  hunks: { title: string; lines: DiffLine[] }[];
}

function fileOf(patch: StructuredPatch, path: string): DiffFile {
  let [added, removed] = [0, 0];
  const hunks = patch.hunks.map(({ oldStart, newStart, oldLines, newLines, lines }) => {
    let [old, fresh] = [oldStart, newStart];
    const shown: DiffLine[] = [];
    for (const line of lines) {
      const text = line.slice(1);
      if (line.startsWith('+')) shown.push({ kind: 'add', text, old: null, fresh: fresh++ });
      else if (line.startsWith('-')) shown.push({ kind: 'del', text, old: old++, fresh: null });
      else if (line.startsWith(' ')) shown.push({ kind: 'same', text, old: old++, fresh: fresh++ });
    }
    added += shown.filter(({ kind }) => kind === 'add').length;
    removed += shown.filter(({ kind }) => kind === 'del').length;
    return { title: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, lines: shown };
  });
  return { path, added, removed, hunks };
}

const named = (name: string | undefined): string => (name ?? '').replace(/^[ab]\//, '');

/** @returns no file when the text is no patch */
export function filesOfPatch(text: string): DiffFile[] {
  try {
    return parsePatch(text).map((patch) =>
      fileOf(patch, named(patch.newFileName === '/dev/null' ? patch.oldFileName : patch.newFileName)),
    );
  } catch {
    return [];
  }
}

const between = (path: string, before: string, after: string): DiffFile =>
  fileOf(structuredPatch(path, path, before, after, undefined, undefined, { context: 3 }), path);

/** What a call of an editing tool changes, as far as its input says. */
export function filesOfTool(kind: ToolKind | 'caller', input: JsonObject | null): DiffFile[] {
  if (input === null) return [];
  const path = str(input, 'file_path') ?? 'file';
  if (kind === 'write') {
    const content = str(input, 'content');
    return content === undefined ? [] : [between(path, '', content)];
  }
  if (kind === 'edit') {
    const [before, after] = [str(input, 'old_string'), str(input, 'new_string')];
    return before === undefined || after === undefined ? [] : [between(path, before, after)];
  }
  if (kind !== 'patch') return [];
  const files = arr(input, 'files') ?? [];
  return files.flatMap((file) => {
    const patch = str(file, 'diff') ?? str(file, 'patch');
    return patch === undefined
      ? []
      : filesOfPatch(patch).map((one) => ({ ...one, path: str(file, 'file_path') ?? one.path }));
  });
}

/** Both sides of a hunk beside each other: a removal stands next to what replaced it. */
export function sideBySide(lines: readonly DiffLine[]): { left: DiffLine | null; right: DiffLine | null }[] {
  const rows: { left: DiffLine | null; right: DiffLine | null }[] = [];
  let gone: DiffLine[] = [];
  let come: DiffLine[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(gone.length, come.length); at++)
      rows.push({ left: gone[at] ?? null, right: come[at] ?? null });
    gone = [];
    come = [];
  };
  for (const line of lines) {
    if (line.kind === 'del') gone.push(line);
    else if (line.kind === 'add') come.push(line);
    else {
      flush();
      rows.push({ left: line, right: line });
    }
  }
  flush();
  return rows;
}
