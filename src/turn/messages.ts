/** Keeps the text of the main agent's last message, for `result.text`, without keeping the whole stream. */

import { LIMITS } from '../contract/limits.js';

interface Message {
  id: string;
  pieces: string[];
  bytes: number;
  /** Some text came, even if it is no longer kept. */
  any: boolean;
}

export interface FinalText {
  text: string;
  /** More came than is kept. */
  cut: boolean;
}

export interface Messages {
  add(id: string, text: string, replaces: string | undefined): void;
  /** The last message that has text; null when none has. */
  final(): FinalText | null;
}

/** Kept beyond the limit of `result.text`, so that a cut is noticed. */
const KEPT = LIMITS.resultText + 1024;

export function messages(): Messages {
  let current: Message | null = null;
  return {
    add(id, text, replaces) {
      if (text === '') return;
      if (!current || current.id !== id) {
        // White space alone is no new message: the text before it stays the answer.
        if (current && replaces === undefined && text.trim() === '') return;
        current = { id, pieces: [], bytes: 0, any: false };
      }
      current.any = true;
      if (current.bytes <= KEPT) current.pieces.push(text);
      current.bytes += text.length;
    },
    final() {
      if (!current?.any) return null;
      return { text: current.pieces.join(''), cut: current.bytes > KEPT };
    },
  };
}
