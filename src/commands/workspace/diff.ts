import { readFile } from 'node:fs/promises';
import { UsageError } from '../../contract/error.js';
import { placesOf } from '../../workspace/paths.js';
import { TurnoutCommand } from '../base.js';
import { ID_ARG, pickWorkspace } from '../workspace-reading.js';

export default class WorkspaceDiff extends TurnoutCommand {
  static override summary = 'Print the change of a private copy as a patch for `git apply`.';
  static override args = ID_ARG;

  async run(): Promise<void> {
    const { args } = await this.parse(WorkspaceDiff);
    const record = await pickWorkspace(args.id);
    if (record.change === null) throw new UsageError(`workspace ${record.id} has no change`);
    await this.print(await readFile(placesOf(record.id, process.env).patch, 'utf8'));
  }
}
