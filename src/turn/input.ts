/** What one turn is made from. */

import type { Event } from '../contract/event.js';
import type { JsonObject } from '../contract/vocabulary.js';
import type { Conversation, Outcome } from '../runner/action.js';
import type { Machine } from '../runner/machine.js';
import type { Invocation, Runner } from '../runner/runner.js';
import type { Admitted, Notice } from './admission.js';
import type { TurnTools } from './caller-tools.js';
import type { TurnLimits } from './limits.js';
import type { PolicyDesk } from './policy/desk.js';
import type { Wire } from './wire.js';
import type { Tap, World } from './world.js';

export interface TurnInput {
  runner: Runner;
  admitted: Admitted;
  machine: Machine;
  invocation: Invocation;
  conversation: Conversation;
  limits: TurnLimits;
  world: World;
  tools: TurnTools | null;
  /** What the caller's policy says of native calls. */
  policy?: PolicyDesk | undefined;
  /** What was seen of its model calls, where they pass through us. */
  wire?: Wire | undefined;
  /** Takes events in order; back-pressure goes through `pause` and `resume`. */
  emit(event: Event): void;
  tap?: Tap;
  /** Masks secrets in messages. */
  mask(text: string): string;
  /** Notices that are due right after `start`. */
  notices: readonly Notice[];
  /** What an earlier turn said of the program that `world.launch` hands over; absent when one is started. */
  living?: JsonObject | undefined;
  /**
   * Takes the program over at the end mark, its ears included. Absent: every program ends with its turn.
   * @param outcome null when the turn was cancelled, or ended at its round limit
   * @returns null when it has to end; else what `done` waits for
   */
  keep?: ((living: JsonObject, outcome: Outcome | null) => Promise<void> | null) | undefined;
}
