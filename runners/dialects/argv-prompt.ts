/** Prompts that can only be given as an argument. */

import { LIMITS } from '../../src/contract/limits.js';
import type { Refusal } from '../../src/runner/runner.js';
import { cutUtf8 } from '../../src/text/truncate.js';

/** @returns why a text can't be one argument of a program, else null */
export function tooLongForArgv(title: string, text: string): Refusal | null {
  if (!cutUtf8(text, LIMITS.argvString).cut) return null;
  const kib = Math.floor(LIMITS.argvString / 1024);
  return {
    refuse: 'unsupported',
    message: `${title} takes its prompt only as an argument, which may have ${kib} KiB; this prompt is longer`,
  };
}

/**
 * A prompt of one word may be the name of one of a program's own commands, even after `--` (cline 3.0.65, cn 1.5.47),
 * or is taken for a mistyped one. An empty line in front prevents that; the program trims it off again.
 */
export function notACommand(prompt: string): string {
  return /\s/.test(prompt) ? prompt : `\n${prompt}`;
}

/** A program without a system prompt of its own gets it in front of the first prompt of a session. */
export function withSystem(system: string | null, prompt: string): string {
  return system === null ? prompt : `${system}\n\n---\n\n${prompt}`;
}
