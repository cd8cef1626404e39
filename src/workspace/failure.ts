/** Why a private copy could not be made, read, landed or removed. */

export const WORKSPACE_REASONS = {
  'not-found': 'no workspace has that id',
  unsupported: 'this folder can not be copied',
  'refused-change': 'the change holds something that can not be carried over',
  conflict: 'the change and the folder touch the same places',
  'changed-meanwhile': 'the folder changed while the change was being applied',
  'too-large': 'a limit on size was reached',
  state: 'the workspace is in another state',
  git: 'git failed',
} as const;

export type WorkspaceReason = keyof typeof WORKSPACE_REASONS;

/** A failure with a stable reason. `paths` names the files it is about, relative to the repository. */
export class WorkspaceError extends Error {
  readonly reason: WorkspaceReason;
  readonly paths: readonly string[];

  constructor(reason: WorkspaceReason, message: string, options: { paths?: readonly string[]; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'WorkspaceError';
    this.reason = reason;
    this.paths = options.paths ?? [];
  }
}
