/** A completion script for zsh. */

import { type CompletionCommand, firstWords, list, q, summaryOf, topics, type Values } from './commands.js';

function action(values: Values): string {
  if (typeof values === 'object') return `(${list(values.words)})`;
  switch (values) {
    case 'file':
      return '_files';
    case 'folder':
      return '_files -/';
    case 'text':
      return ' ';
  }
}

export function zsh(bin: string, commands: readonly CompletionCommand[]): string {
  const plain = (text: string) => text.replace(/[[\]:'\\]/g, '');
  const specs = ({ flags }: CompletionCommand): string =>
    flags
      .flatMap(({ names, summary, values }) =>
        // A long flag takes its value behind a sign or a blank, a short one without either, too.
        names.map((name) => {
          const sign = values === null ? '' : name.startsWith('--') ? '=' : '+';
          const others = names.filter((other) => other !== name);
          const instead = others.length === 0 ? '' : `(${list(others)})`;
          return q(`${instead}${name}${sign}[${plain(summary)}]${values === null ? '' : `:value:${action(values)}`}`);
        }),
      )
      .join(' \\\n        ');
  const cases = commands.map(
    (command) =>
      `    ${q(command.name)}) _arguments -s \\\n        ${specs(command)} ${q(`*:argument:${action(command.args)}`)} ;;`,
  );
  const described = (all: readonly [string, string][]) =>
    all.map(([name, summary]) => q(`${name}:${plain(summary)}`)).join(' ');
  const below = [...topics(commands)].map(
    ([topic, found]) =>
      `    ${topic}) local -a below=(${described(found.map(({ name, summary }) => [name.split(' ')[1] ?? '', summary]))}); _describe command below; return ;;`,
  );
  const first = firstWords(commands).map((word): [string, string] => [word, summaryOf(commands, word)]);
  return `#compdef ${bin}
# ${bin} completion for zsh: ${bin} completion zsh > a folder of your $fpath, as _${bin}
_${bin}() {
  local command=$words[2]
  if ((CURRENT == 2)); then
    local -a first=(${described(first)})
    _describe command first
    return
  fi
  if ((CURRENT == 3)); then case $command in
${below.join('\n')}
  esac; fi
  case $command in
    ${[...topics(commands).keys()].join('|')}) command="$command $words[3]"; shift words; ((CURRENT--)) ;;
  esac
  shift words; ((CURRENT--))
  case $command in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_${bin}" ]; then _${bin} "$@"; else compdef _${bin} ${bin}; fi
`;
}
