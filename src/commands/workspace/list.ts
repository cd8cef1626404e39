import { workspaceTable } from '../../output/workspace-text.js';
import { allRecords } from '../../workspace/paths.js';
import { TurnoutCommand } from '../base.js';
import { JSON_FLAG } from '../workspace-reading.js';

export default class WorkspaceList extends TurnoutCommand {
  static override summary = 'List the private copies that turns with --isolate worked in, newest first.';
  static override flags = JSON_FLAG;

  async run(): Promise<void> {
    const { flags } = await this.parse(WorkspaceList);
    const workspaces = await allRecords(process.env);
    await this.print(flags.json ? `${JSON.stringify({ v: 1, workspaces })}\n` : workspaceTable(workspaces));
  }
}
