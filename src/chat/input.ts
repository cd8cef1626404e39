/** The line that a person types in a chat: edits, completion, earlier prompts, search, pastes. Pure but for its state. */

import { type Draft, type Edit, edit, emptyDraft, insert, vertical } from '../terminal/editor.js';
import type { KeyName } from '../terminal/keys.js';
import { type Suggestions, suggest } from './complete.js';

/** A longer paste is shown as its size. */
const PASTED_LINES = 10;

export interface InputLine {
  draft(): Draft;
  suggestions(): Suggestions;
  /** Which of the suggestions Tab takes. */
  chosen(): number;
  /** What is searched for with Ctrl-R; null when nothing is. */
  searched(): { query: string; found: string | null } | null;
  type(text: string): void;
  paste(text: string): void;
  /** @returns whether the key meant something here */
  key(name: KeyName): boolean;
  /** What was typed, with pastes as they are shown and whole; begins anew. */
  take(): { shown: string; whole: string };
  clear(): void;
  set(text: string): void;
}

/** @param past earlier prompts, oldest first */
export function inputLine(past: () => readonly string[], files: () => readonly string[]): InputLine {
  let draft = emptyDraft;
  let pastes: string[] = [];
  let closed = false;
  let chosen = 0;
  /** How far back in the earlier prompts; 0 is what is being typed. */
  let back = 0;
  let typed = '';
  let query: string | null = null;

  const change = (next: Draft) => {
    if (next.text !== draft.text) {
      closed = false;
      chosen = 0;
    }
    draft = next;
  };
  const set = (text: string) => change({ text, at: text.length });
  const suggestions = (): Suggestions => (closed ? { from: 0, list: [] } : suggest(draft, files()));
  const found = (): string | null => {
    const wanted = query?.toLowerCase() ?? '';
    return wanted === '' ? null : (past().findLast((text) => text.toLowerCase().includes(wanted)) ?? null);
  };
  const take = (): boolean => {
    const { from, list } = suggestions();
    const one = list[chosen] ?? list[0];
    if (!one) return false;
    change({ text: draft.text.slice(0, from) + one.text + draft.text.slice(draft.at), at: from + one.text.length });
    return true;
  };
  const older = (by: 1 | -1): boolean => {
    const all = past();
    const next = Math.min(all.length, Math.max(0, back + by));
    if (next === back) return true;
    if (back === 0) typed = draft.text;
    back = next;
    const text = back === 0 ? typed : (all[all.length - back] ?? '');
    draft = { text, at: text.length };
    closed = true;
    return true;
  };
  const move = (by: 1 | -1): boolean => {
    const { list } = suggestions();
    if (list.length > 0) {
      chosen = (chosen - by + list.length) % list.length;
      return true;
    }
    const next = vertical(draft, by > 0 ? -1 : 1);
    if (next === null) return older(by);
    draft = next;
    return true;
  };
  const searchKey = (name: KeyName): boolean => {
    const hit = found();
    if (name === 'backspace') query = (query ?? '').slice(0, -1);
    else if (name === 'search') return true;
    else {
      query = null;
      if (hit !== null && name !== 'escape' && name !== 'interrupt') set(hit);
      return name !== 'interrupt' || hit !== null;
    }
    return true;
  };

  return {
    draft: () => draft,
    suggestions,
    chosen: () => chosen,
    searched: () => (query === null ? null : { query, found: found() }),
    type(text) {
      if (query !== null) query += text;
      else change(insert(draft, text));
    },
    paste(text) {
      const lines = text.split('\n').length;
      if (lines <= PASTED_LINES && text.length <= 2000) return change(insert(draft, text));
      pastes.push(text);
      const what = lines > 1 ? `${lines} lines` : `${text.length} characters`;
      return change(insert(draft, `[pasted ${what} #${pastes.length}]`));
    },
    key(name) {
      if (query !== null) return searchKey(name);
      switch (name) {
        case 'tab':
          return take();
        case 'escape':
          if (suggestions().list.length === 0) return false;
          closed = true;
          return true;
        case 'up':
          return move(1);
        case 'down':
          return move(-1);
        case 'search':
          query = '';
          return true;
        case 'newline':
          change(insert(draft, '\n'));
          return true;
        case 'enter':
          if (draft.text.slice(0, draft.at).endsWith('\\')) {
            change(insert(edit(draft, 'backspace'), '\n'));
            return true;
          }
          return false;
        case 'leave':
          if (draft.text === '') return false;
          change(edit(draft, 'delete'));
          return true;
        case 'interrupt':
        case 'suspend':
        case 'clear':
        case 'image':
          return false;
        default:
          change(edit(draft, name satisfies Edit));
          return true;
      }
    },
    take() {
      const shown = draft.text;
      const whole = shown.replace(/\[pasted [^\]\n]* #(\d+)\]/g, (mark, number) => pastes[Number(number) - 1] ?? mark);
      draft = emptyDraft;
      pastes = [];
      back = 0;
      closed = false;
      return { shown, whole };
    },
    clear() {
      draft = emptyDraft;
      pastes = [];
      back = 0;
    },
    set,
  };
}
