import * as Args from '@oclif/core/args';
import { UsageError } from '../../contract/error.js';
import { type CompletionCommand, type CompletionFlag, completionScript, SHELLS } from '../../output/completion.js';
import { runners } from '../../registry/registry.js';
import { EXEC_FLAGS } from '../../request/exec-flags.js';
import type { FlagSpec } from '../../request/flag.js';
import { TurnoutCommand } from '../base.js';
import { RUN_FLAGS } from '../run-flags.js';

/** Which values a flag takes is known for those that read their own command line. */
const SPECS: Readonly<Record<string, Readonly<Record<string, FlagSpec>>>> = {
  'agent exec': EXEC_FLAGS,
  run: RUN_FLAGS,
};

export default class Completion extends TurnoutCommand {
  static override summary = 'Print a script that completes commands, flags and values in your shell.';
  static override examples = [
    'source <(<%= config.bin %> completion bash)',
    '<%= config.bin %> completion zsh > "${fpath[1]}/_<%= config.bin %>"',
    '<%= config.bin %> completion fish > ~/.config/fish/completions/<%= config.bin %>.fish',
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
        .map(([flag, { char, summary, type }]): CompletionFlag => {
          const values = flag === 'runtime' ? ['auto', ...runners.map(({ id }) => id)] : (specs[flag]?.options ?? []);
          const names = [`--${flag}`, ...(char ? [`-${char}`] : [])];
          return { names, summary: summary ?? '', value: type === 'option', values };
        });
      const help = { names: ['--help'], summary: 'show help', value: false, values: [] };
      return { name, summary: command.summary ?? '', flags: [...flags, help] };
    });
  }
}
