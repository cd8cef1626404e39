import { removeFiles } from '../../workspace/remove.js';
import { TurnoutCommand } from '../base.js';
import { ID_ARG, JSON_FLAG, pickWorkspace, reporting } from '../workspace-reading.js';

export default class WorkspaceDiscard extends TurnoutCommand {
  static override summary = 'Remove a private copy and its change. Your own files are not involved.';
  static override args = ID_ARG;
  static override flags = JSON_FLAG;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WorkspaceDiscard);
    const record = await pickWorkspace(args.id);
    await reporting(() => removeFiles(record, process.env, Date.now()));
    await this.print(
      flags.json
        ? `${JSON.stringify({ v: 1, workspace: record.id, state: record.state })}\n`
        : `removed ${record.id}\n`,
    );
  }
}
