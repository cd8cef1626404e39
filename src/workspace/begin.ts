/** Begins a turn where its request says: in its folder or in a private copy of it, on one runtime or on the first that works. */

import { type ExecOptions, execTurn } from '../exec/exec-turn.js';
import { fallbackTurn } from '../exec/fallback-turn.js';
import { runtimesOf } from '../request/runtimes.js';
import type { Turn } from '../turn/loop.js';
import { isolatedTurn } from './isolated-turn.js';

function beginOne(options: ExecOptions): Turn {
  const { isolate = 'none', workspace } = options.request;
  if (isolate === 'none' && workspace === undefined) return execTurn(options);
  // What changed in the copy is read at the end of the turn: nothing may work on in it.
  const { keeper: _, ...rest } = options;
  return isolatedTurn(rest, isolate === 'none' ? 'clone' : isolate);
}

/** @returns the handle of the turn; `done` never rejects, since every failure is an event */
export function beginTurn(options: ExecOptions): Turn {
  const runtimes = runtimesOf(options.request.runtime);
  const several = runtimes.length > 1 || (options.limits.quotaMs ?? 0) > 0;
  return several ? fallbackTurn(options, runtimes, beginOne) : beginOne(options);
}
