import { EXEC_FLAGS } from '../../request/exec-flags.js';
import { TurnoutCommand } from '../base.js';
import { runExec } from '../exec.js';
import { forHelp } from '../help-flags.js';

export default class Exec extends TurnoutCommand {
  static override summary = 'Run one turn of a runtime and print its events, one JSON object a line.';
  static override description =
    'For programs; `turnout run` is for people. stdin takes frames (tool results, permission answers, steering, cancel), one ' +
    'JSON object a line. The exit code is the one of the last event. docs/protocol.md describes events, frames and codes.';
  static override examples = [
    '<%= config.bin %> agent exec --runtime demo --prompt hello',
    '<%= config.bin %> agent exec --runtime auto --access read --prompt "What changed in the last commit?"',
    '<%= config.bin %> agent exec --runtime claude --prompt-file task.md --access edit --timeout 10m --budget-usd 2',
    '<%= config.bin %> agent exec --runtime replay:turn.ndjson --prompt anything --speed max',
  ];
  static override usage = 'agent exec --runtime ID (--prompt TEXT | --prompt-file PATH) [FLAG…]';
  static override flags = forHelp(EXEC_FLAGS);

  async run(): Promise<void> {
    this.parsed = true;
    await runExec(this.argv);
  }
}
