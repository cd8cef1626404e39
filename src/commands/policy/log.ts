import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../contract/error.js';
import { readLog } from '../../exec/policy/files.js';
import { TurnoutCommand } from '../base.js';

export default class PolicyLog extends TurnoutCommand {
  static override summary = 'Show what policies decided, the newest last.';
  static override flags = {
    last: Flags.integer({ summary: 'how many decisions', helpValue: 'N', default: 50, min: 1 }),
    json: Flags.boolean({ summary: 'print one JSON object a line' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(PolicyLog);
    let lines: ReturnType<typeof readLog>;
    try {
      lines = readLog(process.env, flags.last);
    } catch (cause) {
      throw new UsageError(`the log can't be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
        cause,
      });
    }
    const text = lines.map((one) => {
      if (flags.json) return JSON.stringify(one);
      const by = one.by === 'rule' ? `rule ${one.rule}` : one.by;
      return `${one.ts}  ${one.decision.padEnd(5)}  ${by.padEnd(8)}  ${one.runtime}  ${one.kind}  ${one.what.replaceAll(/\s+/g, ' ')}`;
    });
    await this.print(text.map((one) => `${one}\n`).join(''));
  }
}
