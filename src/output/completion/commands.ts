/** What a shell is taught: our commands, their flags, and the values of both. */

/** What may stand somewhere: one of these words, a path, or any text. */
export type Values = { words: readonly string[] } | 'file' | 'folder' | 'text';

export interface CompletionFlag {
  /** With its dashes. */
  names: readonly string[];
  summary: string;
  /** null for a switch. */
  values: Values | null;
}

export interface CompletionCommand {
  /** E.g. `agent exec`. */
  name: string;
  summary: string;
  flags: readonly CompletionFlag[];
  /** What may stand beside the flags. */
  args: Values;
}

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

/** Quoted for a shell of Unix. */
export const q = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const list = (words: readonly string[]): string => words.join(' ');

/** The words that may follow a topic: `agent` → exec, scan. */
export function topics(commands: readonly CompletionCommand[]): Map<string, CompletionCommand[]> {
  const found = new Map<string, CompletionCommand[]>();
  for (const command of commands) {
    const [topic = '', rest] = command.name.split(' ');
    if (rest !== undefined) found.set(topic, [...(found.get(topic) ?? []), command]);
  }
  return found;
}

export const firstWords = (commands: readonly CompletionCommand[]): string[] => [
  ...new Set(commands.map(({ name }) => name.split(' ')[0] ?? '')),
];

/** What a first word is for. */
export const summaryOf = (commands: readonly CompletionCommand[], word: string): string =>
  commands.find(({ name }) => name === word)?.summary ?? 'more commands';
