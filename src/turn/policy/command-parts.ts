/** Takes a shell command apart at its operators, so that a whole gets no more than each of its parts would. */

import { type Shell, wordsFor } from '../shell-words.js';

export interface Part {
  text: string;
  /** Its words; null where what it runs can't be said: a substitution, a redirect, a keyword, an assignment in front. */
  words: readonly string[] | null;
}

/** Programs that run the command that their arguments are. */
const CARRIERS: ReadonlySet<string> = new Set(
  (
    'ash bash builtin busybox chroot cmd command csh dash doas env eval exec fish flock ionice ksh nice nohup nsenter parallel ' +
    'powershell pwsh runuser script setsid sh source ssh stdbuf strace su sudo systemd-run taskset tcsh time timeout unbuffer unshare ' +
    'watch xargs zsh'
  ).split(' '),
);
const KEYWORDS =
  /^(?:[!{}]|\[\[|\.|case|coproc|do|done|elif|else|esac|fi|for|function|if|in|select|then|trap|until|while)$/;

export const baseName = (word: string): string => word.slice(word.lastIndexOf('/') + 1);

/** Whether a command runs another by its arguments: a rule about that one can't be held against these words. */
export function carries([program = '', ...rest]: readonly string[]): boolean {
  const name = baseName(program);
  return CARRIERS.has(name) || (name === 'find' && rest.some((word) => /^-(?:exec|ok)/.test(word)));
}

/** Splits at `;`, `&`, `|` and line breaks outside quotes. Quotes that never end leave one part. */
function pieces(command: string): string[] {
  const found: string[] = [];
  let from = 0;
  let quote: string | null = null;
  for (let at = 0; at < command.length; at++) {
    const char = command[at] ?? '';
    if (char === '\\' && quote !== "'") at++;
    else if (quote !== null) quote = char === quote ? null : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (';&|\n\r'.includes(char)) {
      found.push(command.slice(from, at));
      from = at + 1;
    }
  }
  if (quote !== null) return [command];
  return [...found, command.slice(from)];
}

/** @returns at least one part */
export function commandParts(command: string, shell: Shell): Part[] {
  const texts = pieces(command)
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const parts = texts.map((text): Part => {
    const words = wordsFor(text, shell);
    const [first = ''] = words ?? [];
    const isPlain = words !== null && first !== '' && !first.includes('=') && !KEYWORDS.test(first);
    return { text, words: isPlain ? words : null };
  });
  return parts.length > 0 ? parts : [{ text: command, words: null }];
}
