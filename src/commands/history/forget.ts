import { forgetRuns } from '../../exec/run-history.js';
import { TurnoutCommand } from '../base.js';

export default class HistoryForget extends TurnoutCommand {
  static override summary = 'Forget the turns that you ran. The sessions of the runtimes stay.';
  static override examples = ['<%= config.bin %> history forget'];

  async run(): Promise<void> {
    await this.parse(HistoryForget);
    forgetRuns(process.env);
  }
}
