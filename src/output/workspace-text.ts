/** Private copies for people. */

import { oneLine, shorten } from '../text/printable.js';
import { localTime } from './figures.js';
import { textTable } from './text-table.js';

interface ChangedFile {
  path: string;
  status: string;
  added: number | null;
  removed: number | null;
}

interface Shown {
  id: string;
  state: string;
  isolation: string;
  /** Milliseconds since 1970. */
  created_at: number;
  repository: { workTree: string };
  base: string;
  dirty: boolean;
  change: { files: readonly ChangedFile[]; digest: string } | null;
}

const LETTER: Readonly<Record<string, string>> = { added: 'A', modified: 'M', deleted: 'D' };

function sizeOf(change: Shown['change']): string {
  if (change === null) return 'no change';
  const sum = (of: 'added' | 'removed') => change.files.reduce((all, file) => all + (file[of] ?? 0), 0);
  return `${change.files.length} file${change.files.length === 1 ? '' : 's'}, +${sum('added')} -${sum('removed')}`;
}

export function workspaceTable(all: readonly Shown[]): string {
  if (all.length === 0) return 'no workspaces; a turn with --isolate clone makes one\n';
  const rows = all.map((one) => [
    one.id,
    one.state,
    localTime(one.created_at),
    sizeOf(one.change),
    shorten(oneLine(one.repository.workTree), 60),
  ]);
  return textTable([['WORKSPACE', 'STATE', 'MADE', 'CHANGE', 'REPOSITORY'], ...rows]);
}

export function workspaceText(one: Shown, path: string): string {
  const files = (one.change?.files ?? []).map((file) => [
    LETTER[file.status] ?? '?',
    file.added === null ? 'binary' : `+${file.added} -${file.removed ?? 0}`,
    oneLine(file.path),
  ]);
  const facts = [
    ['workspace', one.id],
    ['state', one.state],
    ['made', `${localTime(one.created_at)} (${one.isolation})`],
    ['repository', oneLine(one.repository.workTree)],
    ['base', `${one.base.slice(0, 12)}${one.dirty ? ' (with changes that were not committed)' : ''}`],
    ['copy', oneLine(path)],
    ['change', sizeOf(one.change)],
  ];
  return textTable(facts) + (files.length === 0 ? '' : `\n${textTable(files)}`);
}

export function landedText(landed: { form: string; files: readonly string[]; made: string | null }): string {
  const made =
    landed.made === null ? '' : `${landed.form === 'patch' ? 'wrote' : 'made'} ${landed.form} ${landed.made}\n`;
  const files = landed.files.map((path) => `changed ${oneLine(path)}\n`).join('');
  return made + files === '' ? 'nothing to change: your folder has all of it\n' : made + files;
}
