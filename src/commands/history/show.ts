import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../contract/error.js';
import { keptRuns } from '../../exec/run-history.js';
import { historyText } from '../../output/history-text.js';
import { TurnoutCommand } from '../base.js';

export default class HistoryShow extends TurnoutCommand {
  static override summary = 'Show one turn that you ran: prompt, answer, usage, and how to continue it.';
  static override examples = ['<%= config.bin %> history show', '<%= config.bin %> history show 1f0a2b3c --json'];
  static override args = { id: Args.string({ description: 'from `turnout history`; the newest when left out' }) };
  static override flags = { json: Flags.boolean({ summary: 'one JSON document' }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HistoryShow);
    const runs = keptRuns(process.env);
    const run = args.id === undefined ? runs[0] : runs.find(({ id }) => id === args.id);
    if (!run) {
      const which =
        args.id === undefined ? 'no turn is kept yet' : `no kept turn has the id ${JSON.stringify(args.id)}`;
      throw new UsageError(which, { hint: 'turnout history' });
    }
    return this.print(flags.json ? `${JSON.stringify({ v: 1, run })}\n` : historyText(run));
  }
}
