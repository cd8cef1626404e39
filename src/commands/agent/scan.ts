import { TurnoutCommand } from '../base.js';
import { forHelp } from '../help-flags.js';
import { runScan } from '../scan.js';
import { SCAN_FLAGS } from '../scan-flags.js';

export default class Scan extends TurnoutCommand {
  static override summary = 'Show which runtimes are installed and what each can do.';
  static override description = 'Nothing is started and nothing is written, unless --probe is given.';
  static override flags = forHelp(SCAN_FLAGS);

  async run(): Promise<void> {
    this.parsed = true;
    await runScan(this.argv);
  }
}
