import * as Flags from '@oclif/core/flags';
import { cleanWorkspaces } from '../../workspace/remove.js';
import { TurnoutCommand } from '../base.js';
import { JSON_FLAG, reporting } from '../workspace-reading.js';

export default class WorkspaceClean extends TurnoutCommand {
  static override summary = 'Remove private copies that were landed, and those that were kept for more than 14 days.';
  static override flags = {
    ...JSON_FLAG,
    'dry-run': Flags.boolean({ summary: 'only say what would be removed' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(WorkspaceClean);
    const dryRun = flags['dry-run'];
    const removed = await reporting(() => cleanWorkspaces({ env: process.env, now: Date.now(), dryRun }));
    const ids = removed.map(({ id }) => id);
    if (flags.json) return this.print(`${JSON.stringify({ v: 1, dry_run: dryRun, removed: ids })}\n`);
    const verb = dryRun ? 'would remove' : 'removed';
    await this.print(ids.length === 0 ? 'nothing to remove\n' : ids.map((id) => `${verb} ${id}\n`).join(''));
  }
}
