/** How the commands that land a change spell the way. */

import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../contract/error.js';
import { LAND_FORMS, type LandForm } from '../workspace/land.js';

/** @param branch what a new branch is called, for the help */
export const landFlags = (branch: string) => ({
  as: Flags.string({
    summary: `apply: into your files; branch: a new branch${branch}; commit: onto your branch, in a clean tree; patch: a file`,
    options: [...LAND_FORMS],
    default: 'apply',
  }),
  to: Flags.string({ summary: 'with --as patch: the file to write; must not exist', helpValue: 'FILE' }),
  message: Flags.string({
    char: 'm',
    summary: 'with --as branch or commit: the first line of its message',
    helpValue: 'TEXT',
  }),
});

/** @throws UsageError for `--to` where no file is written */
export function landHow(flags: { as: string; to?: string | undefined; message?: string | undefined }): {
  form: LandForm;
  to?: string;
  message?: string;
} {
  const form = LAND_FORMS.find((one) => one === flags.as) ?? 'apply';
  if (flags.to !== undefined && form !== 'patch') throw new UsageError('--to needs --as patch');
  return {
    form,
    ...(flags.to === undefined ? {} : { to: resolve(flags.to) }),
    ...(flags.message === undefined ? {} : { message: flags.message }),
  };
}
