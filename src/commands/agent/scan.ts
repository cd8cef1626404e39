import * as Flags from '@oclif/core/flags';
import { thisMachine } from '../../discovery/places.js';
import { scan } from '../../discovery/scan.js';
import { ownArgv } from '../../exec/own-argv.js';
import { scanTable } from '../../output/scan-table.js';
import { runners } from '../../registry/registry.js';
import { TurnoutCommand } from '../base.js';
import { wantsColours } from '../colours.js';

export default class Scan extends TurnoutCommand {
  static override summary = 'Show which runtimes are installed and what each can do.';
  static override description = 'Nothing is started and nothing is written, unless --probe is given.';
  static override flags = {
    json: Flags.boolean({ summary: 'one JSON document' }),
    installed: Flags.boolean({ summary: 'only what is installed' }),
    probe: Flags.boolean({ summary: 'start programs whose files do not tell their version, to ask them' }),
    all: Flags.boolean({ summary: 'built-in runtimes too' }),
    'claude-path': Flags.string({ summary: 'same as the variable CLAUDE_CLI_BIN', helpValue: 'PATH' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Scan);
    const places = thisMachine({ turnout: ownArgv() });
    const claude = flags['claude-path'];
    const env = claude === undefined ? places.env : { ...places.env, CLAUDE_CLI_BIN: claude };
    const { probe, all, installed } = flags;
    const found = await scan(runners, { places: { ...places, env }, probe, all, installed });
    await this.print(flags.json ? `${JSON.stringify(found)}\n` : scanTable(found, wantsColours(process.stdout)));
  }
}
