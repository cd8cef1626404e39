import { workspaceText } from '../../output/workspace-text.js';
import { placesOf } from '../../workspace/paths.js';
import { TurnoutCommand } from '../base.js';
import { ID_ARG, JSON_FLAG, pickWorkspace } from '../workspace-reading.js';

export default class WorkspaceShow extends TurnoutCommand {
  static override summary = 'Show one private copy: where it came from and which files changed.';
  static override args = ID_ARG;
  static override flags = JSON_FLAG;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WorkspaceShow);
    const record = await pickWorkspace(args.id);
    const { tree, patch } = placesOf(record.id, process.env);
    await this.print(
      flags.json
        ? `${JSON.stringify({ v: 1, workspace: { ...record, path: tree, patch: record.change === null ? null : patch } })}\n`
        : workspaceText(record, tree),
    );
  }
}
