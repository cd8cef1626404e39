/** Looks on while turns run: metrics and spans. */

import type { Event } from '../contract/event.js';
import type { StartTurn, TurnPlan } from './plan.js';

/** Called for each turn that begins. @returns what hears its events, in order, before the run does. Neither may throw. */
export type WatchTurn = (plan: TurnPlan) => (event: Event) => void;

/** The same way to run a turn, with somebody looking on. */
export function watched(start: StartTurn, watch: WatchTurn | undefined): StartTurn {
  if (!watch) return start;
  return (plan, emit, session, tap) => {
    const hear = watch(plan);
    const both = (event: Event): void => {
      hear(event);
      emit(event);
    };
    return start(plan, both, session, tap);
  };
}

/** Several that look on, as one. */
export function together(all: readonly WatchTurn[]): WatchTurn | undefined {
  if (all.length === 0) return undefined;
  return (plan) => {
    const ears = all.map((watch) => watch(plan));
    return (event) => {
      for (const hear of ears) hear(event);
    };
  };
}
