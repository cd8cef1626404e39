import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { thisMachine } from '../../discovery/places.js';
import { install } from '../../inspect/install.js';
import { TurnoutCommand } from '../base.js';
import { commandRunners } from '../own-runners.js';
import { runnerFlag } from '../runner-flag.js';

export default class Install extends TurnoutCommand {
  static override summary = 'Install a tested version of an agent program, for turnout alone.';
  static override description =
    'The program goes into a private folder below the state folder, is found before PATH, and is write-protected, so that ' +
    'it does not update itself. Programs that npm does not install are refused with the command that does. ' +
    'Exit codes: 0 installed or present, 1 npm failed, 2 unknown runtime, not a version, not an npm program.';
  static override examples = [
    '<%= config.bin %> agent install claude',
    '<%= config.bin %> agent install codex@0.171.0 --json',
  ];
  static override args = {
    runtime: Args.string({ description: 'RUNTIME, RUNTIME@tested or RUNTIME@VERSION', required: true }),
  };
  static override flags = {
    runner: runnerFlag,
    json: Flags.boolean({ summary: 'one JSON document' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Install);
    const { runners } = await commandRunners(flags.runner, {});
    const say = (text: string) => void (flags.json || process.stderr.write(`${text}\n`));
    const done = await install(args.runtime, { runners, places: thisMachine(), say });
    if (flags.json) return this.print(`${JSON.stringify(done)}\n`);
    const what = done.status === 'present' ? 'is already installed' : 'installed';
    return this.print(`${done.runtime} ${done.version} ${what}: ${done.binary}\n`);
  }
}
