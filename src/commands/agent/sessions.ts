import * as Flags from '@oclif/core/flags';
import { sessions } from '../../inspect/list.js';
import { failureText, sessionTable } from '../../output/list-tables.js';
import { TurnoutCommand } from '../base.js';
import { commandRunners } from '../own-runners.js';
import { runnerFlag } from '../runner-flag.js';

export default class Sessions extends TurnoutCommand {
  static override summary = 'List the sessions of a runtime in a folder, the newest first.';
  static override description =
    'Their ids are what `--resume` takes. Nothing is changed. ' +
    'Exit codes: 0 listed or not supported, 1 not installed or failed, 2 unknown runtime.';
  static override examples = [
    '<%= config.bin %> agent sessions --runtime claude',
    '<%= config.bin %> agent sessions --runtime codex --cwd ../other --json',
  ];
  static override flags = {
    runtime: Flags.string({ char: 'r', summary: 'which one', helpValue: 'ID', required: true }),
    cwd: Flags.string({ summary: 'the folder they belong to (.)', helpValue: 'DIR' }),
    runner: runnerFlag,
    json: Flags.boolean({ summary: 'one JSON document' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Sessions);
    const cwd = flags.cwd === undefined ? {} : { cwd: flags.cwd };
    const { runners } = await commandRunners(flags.runner, { runtime: flags.runtime, ...cwd });
    const list = await sessions({ runtime: flags.runtime, runners, ...cwd });
    if (list.error) process.exitCode = list.error.code === 'unknown-runtime' ? 2 : 1;
    if (flags.json) return this.print(`${JSON.stringify(list)}\n`);
    if (list.error) return void process.stderr.write(failureText(list.error));
    return this.print(sessionTable(list));
  }
}
