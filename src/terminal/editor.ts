/** The text that a person is typing, and where the cursor is. Pure; moves by what people see as one character. */

export interface Draft {
  text: string;
  /** An index into the text, between two visible characters. */
  at: number;
}

export const emptyDraft: Draft = { text: '', at: 0 };

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The visible characters of a text. */
export const graphemes = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

const before = ({ text, at }: Draft): number => at - (graphemes(text.slice(0, at)).at(-1)?.length ?? 0);
const after = ({ text, at }: Draft): number => at + (graphemes(text.slice(at))[0]?.length ?? 0);
const wordBefore = ({ text, at }: Draft): number => text.slice(0, at).search(/\S+\s*$/);
const wordAfter = ({ text, at }: Draft): number => at + (/^\s*\S*/.exec(text.slice(at))?.[0].length ?? 0);
const lineStart = ({ text, at }: Draft): number => text.lastIndexOf('\n', at - 1) + 1;
const lineEnd = ({ text, at }: Draft): number => {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
};

const cut = ({ text }: Draft, from: number, to: number): Draft => ({
  text: text.slice(0, from) + text.slice(to),
  at: from,
});

export function insert({ text, at }: Draft, typed: string): Draft {
  return { text: text.slice(0, at) + typed + text.slice(at), at: at + typed.length };
}

/** One line up or down; null where there is none, so that the keys mean something else. */
export function vertical(draft: Draft, by: -1 | 1): Draft | null {
  const { text, at } = draft;
  const start = lineStart(draft);
  const column = graphemes(text.slice(start, at)).length;
  if (by < 0 && start === 0) return null;
  if (by > 0 && lineEnd(draft) === text.length) return null;
  const target = by < 0 ? lineStart({ text, at: start - 1 }) : lineEnd(draft) + 1;
  const line = text.slice(target, lineEnd({ text, at: target }));
  return { text, at: target + graphemes(line).slice(0, column).join('').length };
}

export type Edit =
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'word-left'
  | 'word-right'
  | 'delete-word'
  | 'delete-line'
  | 'delete-rest';

export function edit(draft: Draft, how: Edit): Draft {
  const { text, at } = draft;
  switch (how) {
    case 'backspace':
      return cut(draft, before(draft), at);
    case 'delete':
      return cut(draft, at, after(draft));
    case 'left':
      return { text, at: before(draft) };
    case 'right':
      return { text, at: after(draft) };
    case 'home':
      return { text, at: lineStart(draft) };
    case 'end':
      return { text, at: lineEnd(draft) };
    case 'word-left':
      return { text, at: Math.max(0, wordBefore(draft)) };
    case 'word-right':
      return { text, at: wordAfter(draft) };
    case 'delete-word':
      return cut(draft, Math.max(0, wordBefore(draft)), at);
    case 'delete-line':
      return cut(draft, lineStart(draft), at);
    case 'delete-rest':
      return cut(draft, at, lineEnd(draft));
    default: {
      const never: never = how;
      return never;
    }
  }
}
