/** `--runner`, as commands of oclif take it. */

import * as Flags from '@oclif/core/flags';

export const runnerFlag = Flags.string({
  summary: 'a module that exports a runner of your own; repeatable',
  helpValue: 'PATH',
  multiple: true,
});
