/** Reads a shell command as one literal invocation, or says that it is none. */

const CHAIN = new Set(['|', '&', ';', '<', '>', '(', ')', '$', '`', '\n', '\r', '\0']);
const GLOB = new Set(['*', '?', '[', '{']);

/**
 * Words of a command that a POSIX shell would run as one program with these very arguments. A pipe, redirect, chain,
 * substitution or comment makes it null, as does a pattern that could expand to an option (a file called `-delete`).
 */
export function literalWords(command: string): string[] | null {
  const words: string[] = [];
  let word = '';
  let open = false;
  let quote: '"' | "'" | null = null;
  for (let i = 0; i < command.length; i++) {
    const char = command[i] as string;
    if (quote === "'") {
      if (char === "'") quote = null;
      else word += char;
      continue;
    }
    if (quote === '"') {
      if (char === '"') quote = null;
      else if (char === '$' || char === '`' || char === '\0') return null;
      else if (char === '\\') {
        const next = command[i + 1];
        if (next === undefined || next === '\n') return null;
        if ('"\\$`'.includes(next)) {
          word += next;
          i++;
        } else word += char;
      } else word += char;
      continue;
    }
    if (char === ' ' || char === '\t') {
      if (open) words.push(word);
      word = '';
      open = false;
      continue;
    }
    if (CHAIN.has(char)) return null;
    if (char === '#' && !open) return null;
    if (GLOB.has(char) && (!open || word === '' || word.startsWith('-'))) return null;
    if (char === '\\') {
      const next = command[i + 1];
      if (next === undefined || next === '\n') return null;
      word += next;
      i++;
    } else if (char === '"' || char === "'") quote = char;
    else word += char;
    open = true;
  }
  if (quote) return null;
  if (open) words.push(word);
  return words.length > 0 ? words : null;
}

/** Who will read a command. `unknown`: cmd, PowerShell or a POSIX shell, and only what all of them read alike is taken. */
export type Shell = 'posix' | 'unknown';

/** Neither cmd nor PowerShell makes anything of these outside quotes; `@` and `,` at the start of a word PowerShell does. A `:` names drives and its providers. */
const PLAIN_WORD = /^[A-Za-z0-9_./=+-][A-Za-z0-9_./=@,+-]*$/;

/**
 * As {@link literalWords}, of a command that the given shell reads. For an unknown one nothing is interpreted: no quote,
 * no escape, no variable, no pattern; any character with a meaning in one of them makes it null, and so does a line break.
 */
export function wordsFor(command: string, shell: Shell): string[] | null {
  if (shell === 'posix') return literalWords(command);
  const words = command.split(' ').filter((word) => word !== '');
  return words.length > 0 && words.every((word) => PLAIN_WORD.test(word)) ? words : null;
}
