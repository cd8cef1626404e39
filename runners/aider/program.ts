/** What Aider tells of a turn (0.86.2): the log of its model calls, and its own complaints on stdout. Its exit code is 0. */

import type { TurnErrorCode } from '../../src/contract/error.js';
import type { Action } from '../../src/runner/action.js';
import type { Failure, PlainProgram } from '../dialects/plain-text.js';
import { codeOfWords } from '../dialects/provider-words.js';

const HEADER = /^(?:TO LLM|LLM RESPONSE) \d{4}-\d{2}-\d{2}T[\d:.]+$/;

/**
 * `LLM RESPONSE <time>`, then each line of the answer behind `ASSISTANT `; what was asked stands the same way behind
 * `TO LLM <time>`, so no line of a text is taken for a header.
 */
export function answersIn(log: string): string[] {
  const answers: string[][] = [];
  let current: string[] | null = null;
  for (const line of log.split('\n')) {
    if (HEADER.test(line)) {
      current = line.startsWith('LLM') ? [] : null;
      if (current !== null) answers.push(current);
    } else if (current !== null && line.startsWith('ASSISTANT')) {
      current.push(line.slice('ASSISTANT '.length));
    }
  }
  return answers.map((lines) => lines.join('\n').replace(/\n$/, '')).filter((text) => text !== '');
}

/** Names of the library's exceptions, as Aider prints them: `litellm.AuthenticationError: …`, broken at 80 columns. */
const EXCEPTIONS: Readonly<Record<string, TurnErrorCode>> = {
  AuthenticationError: 'auth',
  PermissionDeniedError: 'auth',
  NotFoundError: 'model-unavailable',
  RateLimitError: 'rate-limited',
};

/** The last complaint, joined again. Only read when no model has answered, so it is none of a model's words. */
export function complaint(printed: readonly string[]): Failure | null {
  const at = printed.findLastIndex((line) => /^litellm\.\w+: /.test(line));
  if (at < 0) return null;
  const end = printed.findIndex((line, index) => index > at && /^(?:The API provider |Retrying in |$)/.test(line));
  const text = printed
    .slice(at, end < 0 ? undefined : end)
    .map((line) => line.trim())
    .join(' ');
  const name = /^litellm\.(\w+): /.exec(text)?.[1] ?? '';
  const words = text.replace(/^litellm\.\w+: (?:\w+: )?(?:\w+Exception - )?/, '');
  const code = EXCEPTIONS[name];
  const told = codeOfWords(words);
  return {
    code: (code === 'rate-limited' || code === undefined ? told : code) ?? code ?? 'runner-error',
    message: words,
  };
}

/** Without a model and a key it opens a browser and waits for five minutes, before it has said its name. */
const WAITS = /^Waiting up to \d+ minutes for you to finish in the browser\.\.\.$/;
const BANNER = /^Aider v\d/;

function answers(log: string | null | undefined): Action[] {
  return answersIn(log ?? '').map((text, index) => ({
    do: 'say',
    event: { type: 'assistant', text, message_id: `answer ${index + 1}` },
  }));
}

export const program: PlainProgram = {
  title: 'Aider',
  grows: false,
  failure: () => null,
  told(exit, printed) {
    const said = answers(exit.files['log']);
    if (said.length > 0) return said;
    return complaint(printed) ?? { code: 'runner-error', message: 'Aider ended without an answer.' };
  },
  hopeless(line, printed) {
    if (!WAITS.test(line) || printed.some((one) => BANNER.test(one))) return null;
    return { code: 'auth', message: 'Aider has neither a model nor a key.' };
  },
};
