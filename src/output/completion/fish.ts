/** A completion script for fish. */

import { type CompletionCommand, firstWords, list, q, summaryOf, topics, type Values } from './commands.js';

/** Whether a value is wanted, and which. */
function takes(values: Values | null): string {
  if (values === null) return '';
  if (typeof values === 'object') return ` -x -a ${q(list(values.words))}`;
  switch (values) {
    case 'file':
      return ' -r';
    case 'folder':
      return " -x -a '(__fish_complete_directories)'";
    case 'text':
      return ' -x';
  }
}

export function fish(bin: string, commands: readonly CompletionCommand[]): string {
  const lines = [`# ${bin} completion for fish: ${bin} completion fish > ~/.config/fish/completions/${bin}.fish`];
  const seen = (name: string) =>
    name
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
  for (const word of firstWords(commands)) {
    const summary = summaryOf(commands, word);
    lines.push(`complete -c ${bin} -f -n __fish_use_subcommand -a ${word} -d ${q(summary)}`);
  }
  for (const [topic, found] of topics(commands)) {
    const names = found.map(({ name }) => name.split(' ')[1] ?? '');
    const open = `__fish_seen_subcommand_from ${topic}; and not __fish_seen_subcommand_from ${list(names)}`;
    for (const { name, summary } of found) {
      lines.push(`complete -c ${bin} -f -n ${q(open)} -a ${name.split(' ')[1] ?? ''} -d ${q(summary)}`);
    }
  }
  for (const { name, flags, args } of commands) {
    for (const { names, summary, values } of flags) {
      const how = names.map((one) => (one.startsWith('--') ? `-l ${one.slice(2)}` : `-s ${one.slice(1)}`)).join(' ');
      lines.push(`complete -c ${bin} -n ${q(seen(name))} ${how}${takes(values)} -d ${q(summary)}`);
    }
    if (typeof args === 'object') lines.push(`complete -c ${bin} -f -n ${q(seen(name))} -a ${q(list(args.words))}`);
  }
  return `${lines.join('\n')}\n`;
}
