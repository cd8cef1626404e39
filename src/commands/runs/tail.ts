import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../contract/error.js';
import { eventText } from '../../output/run-text.js';
import { isOver, type LogEntry } from '../../runs/records.js';
import { eventLine } from '../../text/event-line.js';
import { TurnoutCommand } from '../base.js';
import { liveOutput } from '../live-output.js';
import { pickRun, type Reading, readStore, STORE_FLAGS } from '../runs-reading.js';

const POLL_MS = 100;
const BATCH = { entries: 256, size: 1024 * 1024 };

function printed(entry: LogEntry, ndjson: boolean): string {
  return ndjson ? eventLine(entry.event) : eventText(entry.event);
}

export default class RunsTail extends TurnoutCommand {
  static override summary = 'Print the events of a run.';
  static override description = 'With --follow it goes on until the run ends or nobody reads any more.';
  static override args = { run: Args.string({ description: 'its id, or how it begins; the newest without one' }) };
  static override flags = {
    ...STORE_FLAGS,
    follow: Flags.boolean({ char: 'f', summary: 'wait for what comes' }),
    since: Flags.integer({ summary: 'only events after this number', helpValue: 'SEQ', default: 0, min: 0 }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(RunsTail);
    const reading = await readStore(flags.store);
    if (!reading) throw new UsageError('no run is kept');
    const { run_id } = pickRun(reading.store, args.run);
    process.exit(await this.tail(reading, run_id, flags));
  }

  private async tail({ store, held }: Reading, id: string, flags: { since: number; follow: boolean; ndjson: boolean }) {
    const out = liveOutput();
    for (let after = flags.since; !out.gone(); ) {
      // Asked for before the events: a run that is over has all of them by then.
      const over = isOver(store.run(id)?.status ?? 'interrupted') || !held();
      const entries = store.events(id, after, BATCH);
      for (const entry of entries) {
        if (entry.seq > after + 1)
          process.stderr.write(`turnout: events ${after + 1} to ${entry.seq - 1} are no longer kept\n`);
        after = entry.seq;
        await out.write(printed(entry, flags.ndjson));
        if (out.gone()) return 0;
      }
      if (entries.length > 0) continue;
      if (over || !flags.follow) return 0;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return 0;
  }
}
