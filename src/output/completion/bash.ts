/** A completion script for bash. */

import { type CompletionCommand, firstWords, list, q, topics, type Values } from './commands.js';

function reply(values: Values): string {
  if (typeof values === 'object') return `compgen -W ${q(list(values.words))} -- "$cur"`;
  switch (values) {
    case 'file':
      return 'compgen -f -- "$cur"';
    case 'folder':
      return 'compgen -d -- "$cur"';
    case 'text':
      return ':';
  }
}

const answer = (values: Values): string => `mapfile -t COMPREPLY < <(${reply(values)})`;

function words({ flags, args }: CompletionCommand): string {
  const names = answer({ words: flags.flatMap(({ names: each }) => each) });
  return `if [[ $cur == -* ]]; then ${names}; else ${answer(args)}; fi`;
}

export function bash(bin: string, commands: readonly CompletionCommand[]): string {
  const cases = commands.map((command) => {
    const values = command.flags.flatMap(({ names, values: known }) =>
      known === null ? [] : [`        ${names.join('|')}) ${answer(known)}; return ;;`],
    );
    return [
      `    ${q(command.name)})`,
      '      case "$prev" in',
      ...values,
      '      esac',
      `      ${words(command)} ;;`,
    ].join('\n');
  });
  const below = [...topics(commands)].map(
    ([topic, found]) =>
      `    ${topic}) ${answer({ words: found.map(({ name }) => name.split(' ')[1] ?? '') })}; return ;;`,
  );
  const several = [...topics(commands).keys()].join('|');
  return `# ${bin} completion for bash: ${bin} completion bash > ~/.local/share/bash-completion/completions/${bin}
_${bin}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  # bash takes the sign between a flag and its value for a word of its own.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    ${answer({ words: firstWords(commands) })}
    return
  fi
  if ((COMP_CWORD == 2)) && [[ $cur != -* ]]; then case "$command" in
${below.join('\n')}
  esac; fi
  case "$command" in ${several}) [[ \${COMP_WORDS[2]} == -* ]] || command="$command \${COMP_WORDS[2]}" ;; esac
  case "$command" in
${cases.join('\n')}
  esac
}
complete -o default -F _${bin} ${bin}
`;
}
