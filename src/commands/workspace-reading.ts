/** What the commands about private copies share: flags, failures, and finding a copy by the beginning of its id. */

import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { TurnoutError, UsageError } from '../contract/error.js';
import { WorkspaceError } from '../workspace/failure.js';
import { takePatch } from '../workspace/patch.js';
import { allRecords, readRecord, type WorkspaceRecord } from '../workspace/paths.js';

export const JSON_FLAG = { json: Flags.boolean({ summary: 'JSON instead of text' }) };

export const ID_ARG = {
  id: Args.string({ description: 'id of a workspace, or the beginning of one', required: true }),
};

/** A failure of the workspace as one of the command: wrong calls exit with 2, conflicts and faults of git with 1. */
export async function reporting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const options = { cause: error };
    switch (error.reason) {
      case 'not-found':
      case 'state':
      case 'unsupported':
        throw new UsageError(error.message, options);
      case 'conflict':
      case 'changed-meanwhile':
      case 'refused-change':
      case 'too-large':
      case 'git':
        throw new TurnoutError('runner-error', error.message, options);
    }
  }
}

/** @throws UsageError when no workspace, or more than one, begins like that */
export async function pickWorkspace(id: string): Promise<WorkspaceRecord> {
  const whole = id.startsWith('ws_') ? id : `ws_${id}`;
  const [one, other] = (await allRecords(process.env)).filter((record) => record.id.startsWith(whole));
  if (one !== undefined && other === undefined) {
    // A turn that was cut short may have left its change unread.
    if (one.state === 'live') await reporting(() => takePatch(one, process.env, Date.now()));
    return one;
  }
  if (one !== undefined) throw new UsageError(`${id} means several workspaces`, { hint: 'turnout workspace list' });
  return reporting(() => readRecord(whole, process.env));
}
