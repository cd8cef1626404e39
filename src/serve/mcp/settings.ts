/** What the person who set the server up allows its callers. */

import { ACCESS_MODES, type AccessMode } from '../../contract/vocabulary.js';
import type { Core } from '../../runs/core.js';
import type { Caller } from '../../runs/ports.js';
import type { Waiting } from './waiting.js';

/** Who may allow what a runtime asks permission for: the person at the client, also the calling program, nobody. */
export type Approvers = 'ask' | 'caller' | 'deny';

export interface McpAllowed {
  /** The runtime of calls that name none. */
  runtime: string;
  /** The highest mode a caller may ask for. */
  access: AccessMode;
  approvals: Approvers;
  /** How deep agents may start agents; the usual when absent. */
  maxDepth?: number;
}

export interface McpSettings extends McpAllowed {
  core: Core;
  /** Whom this server serves. */
  caller: Caller;
  /** How many turns of ours this server is inside of. */
  depth: number;
  maxDepth: number;
  /** Runs that wait for a caller that was asked something. */
  waiting: Waiting;
  /** Values that no answer may hold. */
  secrets: readonly string[];
}

/** From the tightest to the widest; what a mode really prevents differs by runtime. */
const ORDER: readonly AccessMode[] = ['none', 'read', 'scoped', 'edit', 'full'];

/** The modes up to the one that is allowed, in the order of the contract. */
export function allowedModes(most: AccessMode): AccessMode[] {
  return ACCESS_MODES.filter((mode) => ORDER.indexOf(mode) <= ORDER.indexOf(most));
}

/** What a call gets that names no mode. */
export const defaultMode = (most: AccessMode): AccessMode => (most === 'read' || most === 'none' ? most : 'scoped');
