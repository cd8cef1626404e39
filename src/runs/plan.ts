/** One turn that a surface asks for, checked and ready to be started. */

import type { Event } from '../contract/event.js';
import type { TurnPlan as CheckedTurn } from '../request/plan.js';
import type { Turn } from '../turn/loop.js';
import type { Tap } from '../turn/world.js';

export interface TurnPlan extends CheckedTurn {
  /** How many turns of ours the caller is inside of, where our own environment does not tell. */
  depth?: number;
  /**
   * Another turn of the session is to be expected, so its program is worth keeping after the first one. A session that
   * was continued once is taken for a conversation anyway.
   */
  goesOn?: true;
}

/** What a run needs of its turn. */
export type LiveTurn = Pick<Turn, 'frame' | 'stdinClosed' | 'cancel' | 'pause' | 'resume' | 'done'>;

/**
 * @param session the id that a runtime which takes one gives a new session
 * @param tap hears everything that passes through the turn, native lines included
 */
export type StartTurn = (plan: TurnPlan, emit: (event: Event) => void, session: string, tap?: Tap) => LiveTurn;
