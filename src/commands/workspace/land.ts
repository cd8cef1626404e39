import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../contract/error.js';
import { landedText } from '../../output/workspace-text.js';
import { LAND_FORMS, landWorkspace } from '../../workspace/land.js';
import { removeFiles } from '../../workspace/remove.js';
import { TurnoutCommand } from '../base.js';
import { ID_ARG, JSON_FLAG, pickWorkspace, reporting } from '../workspace-reading.js';

export default class WorkspaceLand extends TurnoutCommand {
  static override summary = 'Bring the change of a private copy into your folder, merged with what you did meanwhile.';
  static override description =
    'All of it or nothing: on a conflict no file is touched and the conflicting files are named. Nothing is staged, pushed or rebased.';
  static override args = ID_ARG;
  static override flags = {
    ...JSON_FLAG,
    as: Flags.string({
      summary:
        'apply: into your files; branch: a new branch turnout/ID; commit: onto your branch, in a clean tree; patch: a file',
      options: [...LAND_FORMS],
      default: 'apply',
    }),
    to: Flags.string({ summary: 'with --as patch: the file to write; must not exist', helpValue: 'FILE' }),
    message: Flags.string({
      char: 'm',
      summary: 'with --as branch or commit: the first line of its message',
      helpValue: 'TEXT',
    }),
    keep: Flags.boolean({ summary: 'keep the copy afterwards' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WorkspaceLand);
    const form = LAND_FORMS.find((one) => one === flags.as) ?? 'apply';
    if (flags.to !== undefined && form !== 'patch') throw new UsageError('--to needs --as patch');
    const record = await pickWorkspace(args.id);
    const landed = await reporting(() =>
      landWorkspace(record, {
        form,
        env: process.env,
        now: Date.now(),
        ...(flags.to === undefined ? {} : { to: resolve(flags.to) }),
        ...(flags.message === undefined ? {} : { message: flags.message }),
      }),
    );
    if (form !== 'patch' && !flags.keep) await reporting(() => removeFiles(record, process.env, Date.now()));
    await this.print(
      flags.json ? `${JSON.stringify({ v: 1, workspace: record.id, ...landed })}\n` : landedText(landed),
    );
  }
}
