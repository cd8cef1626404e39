import * as Flags from '@oclif/core/flags';
import { models } from '../../inspect/list.js';
import { failureText, modelTable } from '../../output/list-tables.js';
import { TurnoutCommand } from '../base.js';
import { commandRunners } from '../own-runners.js';
import { runnerFlag } from '../runner-flag.js';

export default class Models extends TurnoutCommand {
  static override summary = 'List the models a runtime offers, as far as it can tell.';
  static override description =
    'No prompt is sent; the runtime’s own program is asked and has 30 seconds. A runtime without such a list is no error. ' +
    'Exit codes: 0 listed or not supported, 1 not installed or failed, 2 unknown runtime.';
  static override examples = [
    '<%= config.bin %> agent models --runtime claude',
    '<%= config.bin %> agent models --runtime codex --json',
  ];
  static override flags = {
    runtime: Flags.string({ char: 'r', summary: 'which one', helpValue: 'ID', required: true }),
    runner: runnerFlag,
    json: Flags.boolean({ summary: 'one JSON document' }),
    'claude-path': Flags.string({ summary: 'same as the variable CLAUDE_CLI_BIN', helpValue: 'PATH', hidden: true }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Models);
    const claude = flags['claude-path'];
    const env = claude === undefined ? process.env : { ...process.env, CLAUDE_CLI_BIN: claude };
    const { runners } = await commandRunners(flags.runner, { runtime: flags.runtime });
    const list = await models({ runtime: flags.runtime, env, runners });
    if (list.error) process.exitCode = list.error.code === 'unknown-runtime' ? 2 : 1;
    if (flags.json) return this.print(`${JSON.stringify(list)}\n`);
    if (list.error) return void process.stderr.write(failureText(list.error));
    return this.print(modelTable(list));
  }
}
