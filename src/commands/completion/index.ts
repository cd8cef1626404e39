import * as Args from '@oclif/core/args';
import { UsageError } from '../../contract/error.js';
import { type CompletionCommand, type CompletionFlag, SHELLS, type Values } from '../../output/completion/commands.js';
import { completionScript } from '../../output/completion/script.js';
import { runners } from '../../registry/registry.js';
import { SETTINGS } from '../../registry/settings/validate.js';
import { EXEC_FLAGS } from '../../request/exec-flags.js';
import type { FlagSpec } from '../../request/flag.js';
import { TurnoutCommand } from '../base.js';
import { CHAT_FLAGS } from '../chat-flags.js';
import { COMPARE_FLAGS } from '../compare-flags.js';
import { RUN_FLAGS } from '../run-flags.js';

/** Values that help shows with other words than those that are taken. */
const SPECS: Readonly<Record<string, Readonly<Record<string, FlagSpec>>>> = {
  'agent exec': EXEC_FLAGS,
  chat: CHAT_FLAGS,
  compare: COMPARE_FLAGS,
  run: RUN_FLAGS,
};

const RUNTIMES = runners.map(({ id }) => id);

/** What stands beside the flags of a command. Prompts and ids are any text. */
const ARGS: Readonly<Record<string, Values>> = {
  'agent install': { words: RUNTIMES },
  'agent replay': 'file',
  'agent test': { words: RUNTIMES },
  completion: { words: SHELLS },
  'config get': { words: [...SETTINGS.keys()] },
  'config set': { words: [...SETTINGS.keys()] },
  'persona install': { words: ['monomind'] },
  'store backup': 'file',
  'store restore': 'file',
  verify: 'file',
};

/** Flags that name a runtime, in whatever command. */
const NAMES_RUNTIME = ['runtime', 'openai-default-runtime', 'auditor', 'implementer', 'component'];

/** By the name that help gives the value: `PATH`, `DIR`, `<a|b>`. */
function valuesOf(flag: string, options: readonly string[] | undefined, helpValue: string | undefined): Values {
  if (NAMES_RUNTIME.includes(flag)) return { words: [flag === 'component' ? 'turnout' : 'auto', ...RUNTIMES] };
  const named = /^<(.+)>$/.exec(helpValue ?? '')?.[1]?.split('|');
  const words = options ?? named;
  if (words !== undefined && words.length > 0) return { words };
  if (/DIR|FOLDER/.test(helpValue ?? '')) return 'folder';
  return /PATH|FILE/.test(helpValue ?? '') ? 'file' : 'text';
}

export default class Completion extends TurnoutCommand {
  static override summary = 'Print a script that completes commands, flags and values in your shell.';
  static override examples = [
    'source <(<%= config.bin %> completion bash)',
    '<%= config.bin %> completion zsh > "${fpath[1]}/_<%= config.bin %>"',
    '<%= config.bin %> completion fish > ~/.config/fish/completions/<%= config.bin %>.fish',
    '<%= config.bin %> completion powershell >> $PROFILE',
  ];
  static override args = { shell: Args.string({ description: SHELLS.join(', ') }) };

  async run(): Promise<void> {
    const { args } = await this.parse(Completion);
    const shell = SHELLS.find((name) => name === args.shell);
    if (shell === undefined) {
      throw new UsageError(`which shell? One of ${SHELLS.join(', ')}`, { hint: 'turnout completion --help' });
    }
    await this.print(completionScript(shell, this.config.bin, this.known()));
  }

  private known(): CompletionCommand[] {
    return this.config.commands.map((command) => {
      const name = command.id.replaceAll(':', ' ');
      const specs = SPECS[name] ?? {};
      const flags = Object.entries(command.flags)
        .filter(([, flag]) => flag.hidden !== true)
        .map(([flag, known]): CompletionFlag => {
          const names = [`--${flag}`, ...(known.char ? [`-${known.char}`] : [])];
          const summary = known.summary ?? '';
          if (known.type !== 'option') return { names, summary, values: null };
          const shown = typeof known.helpValue === 'string' ? known.helpValue : undefined;
          return { names, summary, values: valuesOf(flag, specs[flag]?.options ?? known.options, shown) };
        });
      const help = { names: ['--help'], summary: 'show help', values: null };
      return { name, summary: command.summary ?? '', flags: [...flags, help], args: ARGS[name] ?? 'text' };
    });
  }
}
