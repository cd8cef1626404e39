/**
 * Programs that print their answer as text and nothing else. What they say is known at their exit, or as it grows. An
 * exit code of 0 proves nothing: the loop asks for text.
 */

import type { TurnErrorCode } from '../../src/contract/error.js';
import type { Action, Conversation } from '../../src/runner/action.js';
import { exitWords } from './exit-words.js';
import { type Exit, oneShot } from './one-shot.js';

export interface Failure {
  code: TurnErrorCode;
  message: string;
}

/** What a program that prints plain text needs beside its names to become a runner; made into one by `plainText`. */
export interface PlainProgram {
  /** For people. */
  title: string;
  /** Whether lines come while the answer is made, rather than at the end. */
  grows: boolean;
  /** Lines of stdout that are not part of the answer. */
  noise?: RegExp;
  /** A whole answer that is an error although nothing marks it: the program has no other channel. Anchored. */
  errorText?: RegExp;
  /** What stderr says when the program failed; null when no line is known. */
  failure(stderr: readonly string[]): Failure | null;
  /**
   * What the exit yields instead of the text, e.g. in a file that was collected: an answer, or why there is none.
   * @returns null: what was printed is the answer
   */
  told?(exit: Exit, printed: readonly string[]): Action[] | Failure | null;
  /** A line after which nothing good will come, seen from what was printed before it. */
  hopeless?(line: string, printed: readonly string[]): Failure | null;
}

const LAST_LINES = 50;

/** @param stdin the prompt where stdin carries it; null when it went another way */
export function plainText(program: PlainProgram, stdin: string | null): Conversation {
  return oneShot((finish, stderr) => {
    const lines: string[] = [];

    const say = (text: string): Action[] =>
      text === '' ? [] : [{ do: 'say', event: { type: 'assistant', text, message_id: 'answer' } }];
    const line = (text: string): Action[] => {
      if (program.noise?.test(text)) return [];
      const why = program.hopeless?.(text, lines) ?? null;
      if (why !== null) return finish({ ok: false, ...why });
      // The program ends its answer with a newline, so one belongs to the text only when another line follows.
      const piece = lines.length === 0 ? text : `\n${text}`;
      lines.push(text);
      return program.grows ? say(piece) : [];
    };
    const exit = (heard: Exit): Action[] => {
      const { code, signal } = heard;
      const text = lines.join('\n');
      if (code !== 0) {
        const how = exitWords(code, signal);
        const fallback = { code: 'runner-error' as const, message: `${program.title} ${how}.` };
        return finish({ ok: false, ...(program.failure(stderr) ?? fallback) });
      }
      const told = program.told?.(heard, lines) ?? null;
      if (told !== null && 'code' in told) return finish({ ok: false, ...told });
      if (told !== null) return [...told, ...finish({ ok: true, stopReason: 'end_turn' })];
      if (program.errorText?.test(text.trim()))
        return finish({ ok: false, code: 'runner-error', message: text.trim() });
      const known = text.trim() === '' ? program.failure(stderr) : null;
      if (known !== null) return finish({ ok: false, ...known });
      return [...(program.grows ? [] : say(text)), ...finish({ ok: true, stopReason: 'end_turn' })];
    };

    return {
      title: program.title,
      keep: LAST_LINES,
      stdin: stdin,
      line,
      exit,
    };
  });
}
