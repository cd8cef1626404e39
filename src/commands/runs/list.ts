import * as Flags from '@oclif/core/flags';
import { runTable } from '../../output/run-text.js';
import { RUN_STATUSES } from '../../runs/records.js';
import { TurnoutCommand } from '../base.js';
import { readStore, STORE_FLAGS } from '../runs-reading.js';

export default class RunsList extends TurnoutCommand {
  static override summary = 'List the runs that `turnout agent serve` keeps, newest first.';
  static override flags = {
    ...STORE_FLAGS,
    limit: Flags.integer({ summary: 'how many', helpValue: 'N', default: 20, min: 1 }),
    status: Flags.string({ summary: 'only these', options: [...RUN_STATUSES] }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(RunsList);
    const reading = await readStore(flags.store);
    const status = RUN_STATUSES.find((one) => one === flags.status);
    const runs = reading?.store.runs({ limit: flags.limit, ...(status === undefined ? {} : { status }) }) ?? [];
    await this.print(flags.ndjson ? runs.map((run) => `${JSON.stringify(run)}\n`).join('') : runTable(runs));
  }
}
