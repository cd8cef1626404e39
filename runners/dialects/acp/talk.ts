/** What the phases of one ACP conversation share. */

import type { McpServerStatus } from '../../../src/contract/event.js';
import type { Json } from '../../../src/contract/vocabulary.js';
import type { Action, Outcome, Phase } from '../../../src/runner/action.js';
import type { Machine } from '../../../src/runner/machine.js';
import type { TurnRequest } from '../../../src/runner/request.js';
import type { RpcError, RpcPeer } from '../../../src/text/json-rpc.js';
import type { Quirks } from './quirks.js';

/** What our request was for. */
export type Asked =
  | { ask: 'initialize' | 'login' | 'list' | 'open' | 'settle' }
  | { ask: 'set'; what: 'mode' | 'model' | 'effort'; wanted: string }
  | { ask: 'prompt'; steer: string | null };

export interface Talk {
  readonly request: TurnRequest;
  readonly machine: Machine;
  readonly quirks: Quirks;
  readonly rpc: RpcPeer<Asked>;
  /** Put in front of the first prompt of a new session; null where the agent got it in another way. */
  readonly system: string | null;
  /** The agent's id of the session, once it is open. */
  session: string | null;
  /** MCP servers whose state the program reported: those that are missing, and, where it names them, those that are ready. */
  readonly servers: Map<string, Omit<McpServerStatus, 'name'>>;
  /** Updates that came so far: none between two looks means that nothing is on its way. */
  updates: number;
}

export const write = (line: string): Action => ({ do: 'write', line });
export const phase = (now: Phase | null): Action => ({ do: 'phase', phase: now });
export const fail = (outcome: Omit<Extract<Outcome, { ok: false }>, 'ok'>): Action[] => [
  { do: 'finish', outcome: { ok: false, ...outcome } },
];

/** One phase's ears for answers. */
export interface Answers {
  result(asked: Asked, result: Json): Action[];
  error(asked: Asked, error: RpcError): Action[];
}
