import * as Args from '@oclif/core/args';
import { UsageError } from '../../contract/error.js';
import { localTime } from '../../output/figures.js';
import { textTable } from '../../output/text-table.js';
import { harmless, oneLine } from '../../text/printable.js';
import { TurnoutCommand } from '../base.js';
import { pickRun, readStore, STORE_FLAGS } from '../runs-reading.js';

/** Dates and figures as people read them; the texts last. */
function shown(name: string, value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (name.endsWith('_at') && typeof value === 'number') return localTime(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export default class RunsShow extends TurnoutCommand {
  static override summary = 'Show one run: its state, its figures, what was asked and answered.';
  static override args = { run: Args.string({ description: 'its id, or how it begins; the newest without one' }) };
  static override flags = STORE_FLAGS;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RunsShow);
    const reading = await readStore(flags.store);
    if (!reading) throw new UsageError('no run is kept');
    const run = pickRun(reading.store, args.run);
    if (flags.ndjson) return this.print(`${JSON.stringify(run)}\n`);
    const { prompt, text, ...rest } = run;
    const lines = textTable(Object.entries(rest).map(([name, value]) => [name, oneLine(shown(name, value))]));
    await this.print(`${lines}\n> ${harmless(prompt).replaceAll('\n', '\n> ')}\n\n${harmless(text ?? '')}\n`);
  }
}
