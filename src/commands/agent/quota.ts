import * as Flags from '@oclif/core/flags';
import { quota } from '../../inspect/list.js';
import { failureText, quotaTable } from '../../output/list-tables.js';
import { TurnoutCommand } from '../base.js';
import { commandRunners } from '../own-runners.js';
import { runnerFlag } from '../runner-flag.js';

export default class Quota extends TurnoutCommand {
  static override summary = 'Show what is left of a runtime’s plan and when it resets, as its program tells it.';
  static override description =
    'No prompt is sent and no token is spent; the program asks its own account and has 30 seconds. ' +
    'Exit codes: 0 told or not supported, 1 not installed or failed, 2 unknown runtime.';
  static override examples = [
    '<%= config.bin %> agent quota --runtime claude',
    '<%= config.bin %> agent quota --runtime codex --json',
  ];
  static override flags = {
    runtime: Flags.string({
      char: 'r',
      summary: 'which one; every installed one that can tell when absent',
      helpValue: 'ID',
    }),
    runner: runnerFlag,
    json: Flags.boolean({ summary: 'one JSON document a runtime' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Quota);
    const named = flags.runtime === undefined ? {} : { runtime: flags.runtime };
    const { runners } = await commandRunners(flags.runner, named);
    const ids =
      flags.runtime === undefined
        ? runners.filter((runner) => runner.quota !== undefined).map(({ id }) => id)
        : [flags.runtime];
    for (const runtime of ids) {
      const report = await quota({ runtime, runners });
      // Of those that were not named, only what is there is shown.
      if (flags.runtime === undefined && report.error?.code === 'missing-binary') continue;
      if (report.error) process.exitCode = report.error.code === 'unknown-runtime' ? 2 : 1;
      if (flags.json) this.print(`${JSON.stringify(report)}\n`);
      else if (report.error) process.stderr.write(failureText(report.error));
      else this.print(quotaTable(report));
    }
  }
}
