import * as Flags from '@oclif/core/flags';
import { landedText } from '../../output/workspace-text.js';
import { landWorkspace } from '../../workspace/land.js';
import { removeFiles } from '../../workspace/remove.js';
import { TurnoutCommand } from '../base.js';
import { landFlags, landHow } from '../landing.js';
import { ID_ARG, JSON_FLAG, pickWorkspace, reporting } from '../workspace-reading.js';

export default class WorkspaceLand extends TurnoutCommand {
  static override summary = 'Bring the change of a private copy into your folder, merged with what you did meanwhile.';
  static override description =
    'All of it or nothing: on a conflict no file is touched and the conflicting files are named. Nothing is staged, pushed or rebased.';
  static override args = ID_ARG;
  static override flags = {
    ...JSON_FLAG,
    ...landFlags(' turnout/ID'),
    keep: Flags.boolean({ summary: 'keep the copy afterwards' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WorkspaceLand);
    const how = landHow(flags);
    const record = await pickWorkspace(args.id);
    const landed = await reporting(() => landWorkspace(record, { ...how, env: process.env, now: Date.now() }));
    if (how.form !== 'patch' && !flags.keep) await reporting(() => removeFiles(record, process.env, Date.now()));
    await this.print(
      flags.json ? `${JSON.stringify({ v: 1, workspace: record.id, ...landed })}\n` : landedText(landed),
    );
  }
}
