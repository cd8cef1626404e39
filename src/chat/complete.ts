/** What may be meant by what is being typed: a slash command, one of its words, or a file behind `@`. */

import type { Draft } from '../terminal/editor.js';
import { COMMANDS } from './commands.js';
import { matching } from './files.js';

export interface Suggestion {
  /** In place of what was typed. */
  text: string;
  shown: string;
  hint: string;
}

export interface Suggestions {
  /** Where what was typed begins in the draft. */
  from: number;
  list: readonly Suggestion[];
}

const MOST = 6;
const none: Suggestions = { from: 0, list: [] };

function commands(typed: string): Suggestion[] {
  return COMMANDS.filter(({ name }) => name.startsWith(typed)).map(({ name, value, summary }) => ({
    text: value === undefined ? `/${name}` : `/${name} `,
    shown: `/${name}${value === undefined ? '' : ` ${value}`}`,
    hint: summary,
  }));
}

/** @param files of the folder; empty until they were read */
export function suggest({ text, at }: Draft, files: readonly string[]): Suggestions {
  const before = text.slice(0, at);
  const [, command] = /^\/(\S*)$/.exec(before) ?? [];
  if (command !== undefined) return { from: 0, list: commands(command).slice(0, MOST) };
  const [, name, value] = /^\/(\S+) (\S*)$/.exec(before) ?? [];
  if (name !== undefined && value !== undefined) {
    const words = COMMANDS.find((one) => one.name === name)?.words ?? [];
    const list = words.filter((word) => word.startsWith(value) && word !== value);
    return { from: at - value.length, list: list.map((word) => ({ text: word, shown: word, hint: '' })) };
  }
  const [, path] = /(?:^|\s)@([^\s"]*)$/.exec(before) ?? [];
  if (path === undefined) return none;
  const list = matching(files, path, MOST).map((file) => ({
    text: /\s/.test(file) ? `@"${file}" ` : `@${file} `,
    shown: file,
    hint: '',
  }));
  return { from: at - path.length - 1, list };
}
