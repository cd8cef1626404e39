/** What a program's log on stderr adds to an ACP conversation: model calls, and retries that it reports nowhere else. */

import type { TurnErrorCode } from '../../../src/contract/error.js';

export type LogFact =
  /** A model call of the main agent has begun. */
  | { fact: 'call' }
  /** The model that is being asked. */
  | { fact: 'model'; id: string }
  /** The running model call is tried again; what it has said so far will be said again. */
  | { fact: 'retry'; attempt: number; delayMs: number | null; code: TurnErrorCode | null; message: string }
  /** An MCP server of the session is not there; of one that is, nothing is logged. */
  | { fact: 'server'; name: string; status: string }
  /** The program goes on trying although it can't help. */
  | { fact: 'hopeless'; code: TurnErrorCode; message: string };

export interface LogReader {
  /** @param session the native id, null until it is known */
  read(line: string, session: string | null): LogFact[];
}
