/** One fault of a runtime: which fake program has it, and how a turn with it must end. */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Turn } from './turn.js';

export interface Fault {
  name: string;
  /** A fake agent of `fixtures/bin`, with its arguments. */
  program: readonly [name: string, ...args: string[]];
  /** How many of its units (MiB, deltas) it prints in a full and in a small run; the last argument. */
  size?: { full: number; small: number };
  /** More flags of `agent exec`. */
  flags?: readonly string[];
  /** Frames for stdin, sent when the turn has started. */
  send?: (turn: Turn) => void;
  exit: number;
  /** The error's code; null where the turn ends well. */
  code: string | null;
  /** The whole text of the answer, where there is one. */
  text?: string;
  /** What else is wrong; null when nothing is. */
  judge?(events: readonly JsonObject[]): string | null;
  /** Runs one after another in one folder; the expectation is that of the first, the others end well. */
  starts?: number;
  /** MiB that the peak memory may be above that of a plain answer. */
  mebibytes?: number;
}
