/** A turn that is refused before anything is spawned: start, error, done. */

import { ERROR_CODES, type ErrorCode } from '../contract/error.js';
import type { Event, StartEvent } from '../contract/event.js';
import type { AccessMode } from '../contract/vocabulary.js';
import { clampMessage } from './clamp.js';

export interface RefusedTurn {
  runtime: string;
  cwd: string;
  access: AccessMode;
  model: string | null;
  resume: string | null;
  code: ErrorCode;
  message: string;
  hint?: string;
}

/** @returns the three events; the exit code is the last one's */
export function refusedEvents(turn: RefusedTurn, start: Partial<StartEvent> = {}): Event[] {
  const { text, cut } = clampMessage(turn.message);
  const code = ERROR_CODES[turn.code];
  return [
    {
      v: 1,
      type: 'start',
      runtime: turn.runtime,
      ...(turn.model === null ? {} : { model: turn.model }),
      cwd: turn.cwd,
      ...(turn.resume === null ? {} : { resume: turn.resume }),
      pid: process.pid,
      access: turn.access,
      access_gaps: [],
      native_sandbox: 'none',
      approvals: 'n/a',
      asks_permission: false,
      settings_loaded: [],
      credential: { kind: 'unknown' },
      confinement: { by: 'none', network: 'open' },
      streams_incrementally: false,
      ...start,
    },
    {
      v: 1,
      type: 'error',
      code: turn.code,
      message: text,
      fatal: code.fatal,
      ...(turn.hint === undefined ? {} : { hint: turn.hint }),
      ...(cut ? { message_truncated: true } : {}),
    },
    {
      v: 1,
      type: 'done',
      exit_code: code.exit,
      stop_reason:
        turn.code === 'cancelled' || turn.code === 'interrupted' || turn.code === 'timeout' ? turn.code : 'error',
      duration_ms: 0,
    },
  ];
}
