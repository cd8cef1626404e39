/** Makes copies for tests, and reads how making, reading or landing one failed. */

import * as assert from 'uvu/assert';
import { type CreateOptions, createWorkspace, type Workspace } from '../../src/workspace/create.js';
import { WorkspaceError, type WorkspaceReason } from '../../src/workspace/failure.js';
import type { User } from './lay-out.js';

export const make = (one: User, changes: Partial<CreateOptions> = {}): Promise<Workspace> =>
  createWorkspace({ cwd: one.repo, isolation: 'clone', env: one.env, now: 1, ...changes });

export async function fails(reason: WorkspaceReason, work: Promise<unknown>): Promise<WorkspaceError> {
  const error = await work.then(
    () => null,
    (caught: unknown) => caught,
  );
  assert.instance(error, WorkspaceError);
  assert.ok(error instanceof WorkspaceError);
  assert.is(error.reason, reason, error.message);
  return error;
}
