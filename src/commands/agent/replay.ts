import { readFile, rename, writeFile } from 'node:fs/promises';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../contract/error.js';
import { replayFile, updated } from '../../exec/replay-file.js';
import { UnreadableRecording } from '../../record/recording.js';
import { TurnoutCommand } from '../base.js';
import { commandRunners } from '../own-runners.js';
import { runnerFlag } from '../runner-flag.js';

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UsageError(`${path}: can't be read (${code})`, { cause: error });
  }
}

export default class Replay extends TurnoutCommand {
  static override summary = 'Run a recorded turn again through today’s translator, without the runtime.';
  static override description =
    'A recording is made by `turnout agent exec --record FILE`. What differs from the recorded events is shown on stderr. ' +
    'Exit codes: 0 nothing differs, 1 something does, 2 the file is no recording.';
  static override examples = [
    '<%= config.bin %> agent exec --runtime demo --prompt hello --record turn.ndjson',
    '<%= config.bin %> agent replay turn.ndjson',
    '<%= config.bin %> agent replay turn.ndjson --update',
  ];
  static override args = { file: Args.string({ description: 'the recording', required: true }) };
  static override flags = {
    runner: runnerFlag,
    update: Flags.boolean({ summary: 'put today’s events in the place of the recorded ones' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Replay);
    let turns: Awaited<ReturnType<typeof replayFile>>;
    try {
      const text = await read(args.file);
      const { runners } = await commandRunners(flags.runner);
      turns = await replayFile(text, runners);
    } catch (error) {
      if (!(error instanceof UnreadableRecording)) throw error;
      throw new UsageError(`${args.file} is no recording: ${error.message}`, { cause: error });
    }
    for (const [index, { title, report }] of turns.entries()) {
      if (report === null) await this.print(`turn ${index + 1} (${title}): the same\n`);
      else process.stderr.write(`turn ${index + 1} (${title}): differs\n${report.replace(/^/gm, '  ')}\n`);
    }
    const changed = turns.filter(({ report }) => report !== null);
    if (!flags.update) {
      process.exitCode = changed.length > 0 ? 1 : 0;
      return;
    }
    const stuck = changed.filter(({ replayed }) => replayed === null).length;
    if (changed.length > stuck) {
      await writeFile(`${args.file}.new`, updated(turns), { mode: 0o600 });
      await rename(`${args.file}.new`, args.file);
      await this.print(`${args.file} was updated\n`);
    }
    process.exitCode = stuck > 0 ? 1 : 0;
  }
}
