/** Scripts that teach a shell our commands, flags and values. Everything is in the script: pressing Tab starts nothing. */

export interface CompletionFlag {
  /** With its dashes. */
  names: readonly string[];
  summary: string;
  value: boolean;
  /** The values it takes; files when empty and a value is wanted. */
  values: readonly string[];
}

export interface CompletionCommand {
  /** E.g. `agent exec`. */
  name: string;
  summary: string;
  flags: readonly CompletionFlag[];
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const q = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const words = (list: readonly string[]): string => list.join(' ');

/** The words that may follow: `agent` → exec, scan. */
function topics(commands: readonly CompletionCommand[]): Map<string, CompletionCommand[]> {
  const found = new Map<string, CompletionCommand[]>();
  for (const command of commands) {
    const [topic = '', rest] = command.name.split(' ');
    if (rest !== undefined) found.set(topic, [...(found.get(topic) ?? []), command]);
  }
  return found;
}

const firstWords = (commands: readonly CompletionCommand[]): string[] => [
  ...new Set(commands.map(({ name }) => name.split(' ')[0] ?? '')),
];

function bash(bin: string, commands: readonly CompletionCommand[]): string {
  const cases = commands.map(({ name, flags }) => {
    const values = flags
      .filter(({ value }) => value)
      .map(({ names, values: known }) => {
        const reply = known.length > 0 ? `compgen -W ${q(words(known))} -- "$cur"` : 'compgen -f -- "$cur"';
        return `        ${names.join('|')}) mapfile -t COMPREPLY < <(${reply}); return ;;`;
      });
    return [
      `    ${q(name)})`,
      '      case "$prev" in',
      ...values,
      '      esac',
      `      mapfile -t COMPREPLY < <(compgen -W ${q(words(flags.flatMap(({ names }) => names)))} -- "$cur") ;;`,
    ].join('\n');
  });
  const below = [...topics(commands)].map(
    ([topic, list]) =>
      `    ${topic}) mapfile -t COMPREPLY < <(compgen -W ${q(words(list.map(({ name }) => name.split(' ')[1] ?? '')))} -- "$cur"); return ;;`,
  );
  return `# ${bin} completion for bash: ${bin} completion bash > ~/.local/share/bash-completion/completions/${bin}
_${bin}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W ${q(words(firstWords(commands)))} -- "$cur")
    return
  fi
  if ((COMP_CWORD == 2)); then case "$command" in
${below.join('\n')}
  esac; fi
  case "$command" in ${[...topics(commands).keys()].join('|')}) command="$command \${COMP_WORDS[2]}" ;; esac
  case "$command" in
${cases.join('\n')}
  esac
}
complete -o default -F _${bin} ${bin}
`;
}

function zsh(bin: string, commands: readonly CompletionCommand[]): string {
  const plain = (text: string) => text.replace(/[[\]:'\\]/g, '');
  const specs = ({ flags }: CompletionCommand): string =>
    flags
      .map(({ names, summary, value, values }) => {
        const set = names.length > 1 ? `{${names.join(',')}}` : (names[0] ?? '');
        const rest = value ? `:value:${values.length > 0 ? `(${words(values)})` : '_files'}` : '';
        return `${set}${q(`[${plain(summary)}]${rest}`)}`;
      })
      .join(' \\\n        ');
  const cases = commands.map(
    (command) => `    ${q(command.name)}) _arguments -s \\\n        ${specs(command)} '*:file:_files' ;;`,
  );
  const described = (list: readonly [string, string][]) =>
    list.map(([name, summary]) => q(`${name}:${plain(summary)}`)).join(' ');
  const below = [...topics(commands)].map(
    ([topic, list]) =>
      `    ${topic}) local -a below=(${described(list.map(({ name, summary }) => [name.split(' ')[1] ?? '', summary]))}); _describe command below; return ;;`,
  );
  const first = firstWords(commands).map((word): [string, string] => [
    word,
    commands.find(({ name }) => name === word)?.summary ?? 'more commands',
  ]);
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

function fish(bin: string, commands: readonly CompletionCommand[]): string {
  const lines = [`# ${bin} completion for fish: ${bin} completion fish > ~/.config/fish/completions/${bin}.fish`];
  const seen = (name: string) =>
    name
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
  for (const word of firstWords(commands)) {
    const summary = commands.find(({ name }) => name === word)?.summary ?? 'more commands';
    lines.push(`complete -c ${bin} -f -n __fish_use_subcommand -a ${word} -d ${q(summary)}`);
  }
  for (const [topic, list] of topics(commands)) {
    const names = list.map(({ name }) => name.split(' ')[1] ?? '');
    const open = `__fish_seen_subcommand_from ${topic}; and not __fish_seen_subcommand_from ${words(names)}`;
    for (const { name, summary } of list) {
      lines.push(`complete -c ${bin} -f -n ${q(open)} -a ${name.split(' ')[1] ?? ''} -d ${q(summary)}`);
    }
  }
  for (const { name, flags } of commands) {
    for (const { names, summary, value, values } of flags) {
      const how = names.map((one) => (one.startsWith('--') ? `-l ${one.slice(2)}` : `-s ${one.slice(1)}`)).join(' ');
      const takes = !value ? '' : values.length > 0 ? ` -x -a ${q(words(values))}` : ' -r';
      lines.push(`complete -c ${bin} -n ${q(seen(name))} ${how}${takes} -d ${q(summary)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** @param commands in the order of help */
export function completionScript(shell: Shell, bin: string, commands: readonly CompletionCommand[]): string {
  switch (shell) {
    case 'bash':
      return bash(bin, commands);
    case 'zsh':
      return zsh(bin, commands);
    case 'fish':
      return fish(bin, commands);
    default: {
      const never: never = shell;
      throw new Error(String(never));
    }
  }
}
