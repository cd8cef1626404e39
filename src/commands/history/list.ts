import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../contract/error.js';
import { ownCwd } from '../../discovery/places.js';
import { keptRuns } from '../../exec/run-history.js';
import { historyTable } from '../../output/history-text.js';
import { TurnoutCommand } from '../base.js';

export default class HistoryList extends TurnoutCommand {
  static override summary = 'List the turns that you ran: by run, chat and compare, and by exec with --keep.';
  static override description =
    'Kept in history.jsonl of the state folder, for you alone; `turnout config set history false` keeps none. What a server ran is in `turnout runs`.';
  static override examples = ['<%= config.bin %> history', '<%= config.bin %> history list --here --limit 5'];
  static override flags = {
    limit: Flags.string({ summary: 'at most so many, newest first (20)', helpValue: 'N' }),
    runtime: Flags.string({ char: 'r', summary: 'those of one runtime', helpValue: 'ID' }),
    here: Flags.boolean({ summary: 'those of this folder' }),
    json: Flags.boolean({ summary: 'one JSON document' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(HistoryList);
    const limit = Number(flags.limit ?? 20);
    if (!Number.isInteger(limit) || limit < 1)
      throw new UsageError(`--limit: expected a whole number from 1 on, not ${JSON.stringify(flags.limit)}`);
    const cwd = ownCwd();
    const runs = keptRuns(process.env)
      .filter(
        (run) => (!flags.here || run.cwd === cwd) && (flags.runtime === undefined || run.runtime === flags.runtime),
      )
      .slice(0, limit);
    if (flags.json) return this.print(`${JSON.stringify({ v: 1, runs })}\n`);
    return this.print(runs.length === 0 ? 'No turn is kept yet. Begin with: turnout run "…"\n' : historyTable(runs));
  }
}
