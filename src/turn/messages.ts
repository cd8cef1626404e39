/** Keeps the text of the main agent's last message, for `result.text`, without keeping the whole stream. */

import { LIMITS } from '../contract/limits.js';

interface Message {
  id: string;
  /** Joined now and then: a million deltas of a character would otherwise be a million strings. */
  pieces: string[];
  joined: string[];
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
const JOIN_AT = 1024;

export function messages(): Messages {
  let current: Message | null = null;
  return {
    add(id, text, replaces) {
      if (text === '') return;
      if (!current || current.id !== id) {
        // White space alone is no new message: the text before it stays the answer.
        if (current && replaces === undefined && text.trim() === '') return;
        current = { id, pieces: [], joined: [], bytes: 0, any: false };
      }
      current.any = true;
      if (current.bytes <= KEPT) current.pieces.push(text);
      if (current.pieces.length >= JOIN_AT) current.joined.push(current.pieces.splice(0).join(''));
      current.bytes += text.length;
    },
    final() {
      if (!current?.any) return null;
      return { text: [...current.joined, ...current.pieces].join(''), cut: current.bytes > KEPT };
    },
  };
}
