/** What a permission question is about, as lines: the whole command, or what would change in which file. */

import type { Choice, JsonObject, ToolKind } from '../contract/vocabulary.js';
import { str } from '../text/json.js';
import { harmless, oneLine } from '../text/printable.js';
import { type DiffFile, filesOfTool } from '../view/diff.js';
import { type Paint, painter } from './paint.js';

export interface Asked {
  name: string;
  kind: ToolKind;
  input: JsonObject | null;
  /** One line: what the tool does and what it works on. */
  label: string;
}

/** Lines of a change that are shown; a person decides about what can be seen at a glance. */
const MOST_LINES = 40;

export const KEYS: readonly { key: string; choice: Choice; label: string; done: string }[] = [
  { key: 'y', choice: 'allow_once', label: '[y]es', done: 'yes' },
  { key: 'n', choice: 'deny', label: '[n]o', done: 'no' },
  { key: 'a', choice: 'allow_session', label: '[a]lways', done: 'always, for this turn' },
];

/** Lines of text from outside, harmless to a terminal. */
export const safeLines = (text: string): string[] => harmless(text).replace(/\n$/, '').split('\n');

const size = ({ added, removed }: DiffFile): string => `+${added} -${removed}`;

/** Lines of one file's change, removed and added ones by mark and colour. */
export function changeLines(file: DiffFile, paint: Paint): string[] {
  return file.hunks.flatMap(({ lines }) =>
    lines.map(({ kind, text }) => {
      const shown = safeLines(text).join('');
      if (kind === 'same') return `  ${shown}`;
      return kind === 'add' ? paint('green', `+ ${shown}`) : paint('red', `- ${shown}`);
    }),
  );
}

function detail(asked: Asked, files: readonly DiffFile[], paint: Paint): string[] {
  const [file] = files;
  if (files.length === 1 && file) return changeLines(file, paint);
  if (files.length > 1) {
    return files.flatMap((one) => [paint('dim', `${oneLine(one.path)} ${size(one)}`), ...changeLines(one, paint)]);
  }
  const command = asked.kind === 'shell' ? str(asked.input, 'command') : undefined;
  if (command?.includes('\n')) return safeLines(command);
  // The label says it all.
  const known = ['shell', 'read', 'search', 'web', 'task', 'edit', 'write', 'patch'].includes(asked.kind);
  return known || asked.input === null ? [] : [oneLine(JSON.stringify(asked.input))];
}

/** @returns the question, what it is about, and the keys that answer it */
export function questionLines(asked: Asked, choices: readonly Choice[], colours: boolean): string[] {
  const paint = painter(colours);
  const files = filesOfTool(asked.kind, asked.input);
  const all = detail(asked, files, paint);
  const shown = all.slice(0, MOST_LINES).map((line) => `  ${line}`.trimEnd());
  const more = all.length > shown.length ? [paint('dim', `  … ${all.length - shown.length} more lines`)] : [];
  const keys = KEYS.filter(({ choice }) => choices.includes(choice)).map(({ label }) => label);
  const [file] = files;
  const extent = file && files.length === 1 ? ` ${size(file)}` : '';
  return [`${paint('yellow', `? ${asked.label}`)}${extent}`, ...shown, ...more, `  ${keys.join('  ')}`];
}
