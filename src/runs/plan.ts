/** One turn that a surface asks for, checked and ready to be started. */

import type { Event } from '../contract/event.js';
import type { Frame } from '../contract/frame.js';
import type { TurnRequest } from '../runner/request.js';
import type { TurnLimits } from '../turn/loop.js';
import type { Tap } from '../turn/world.js';

export interface TurnPlan {
  request: TurnRequest;
  limits: TurnLimits;
  /** Variables for the runtime, from the caller. */
  env: Readonly<Record<string, string>>;
  allowRoot: boolean;
  /** A refusal that is told on the stream. */
  refuse?: { code: 'unsafe'; message: string };
  /** How many turns of ours the caller is inside of, where our own environment does not tell. */
  depth?: number;
}

/** A turn under way; `ExecTurn` fits. */
export interface LiveTurn {
  frame(frame: Frame): void;
  stdinClosed(): void;
  /** A second call skips the waiting. */
  cancel(): void;
  pause(): void;
  resume(): void;
  /** Never rejects. */
  done: Promise<number>;
}

/**
 * @param session the id that a runtime which takes one gives a new session
 * @param tap hears everything that passes through the turn, native lines included
 */
export type StartTurn = (plan: TurnPlan, emit: (event: Event) => void, session: string, tap?: Tap) => LiveTurn;
