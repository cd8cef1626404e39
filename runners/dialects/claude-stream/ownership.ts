/**
 * Whose turn the program is in. A resumed session may begin with its own turn, e.g. about a background command
 * that did not survive (claude 2.1.332), and that one has a text and a `result` like ours.
 *
 * A program that repeats what it was sent (`echoes`) is in our turn from the repetition on, and another turn names its
 * `origin`. The others print an `init` line for each prompt that comes by stdin. Where the process has one prompt alone,
 * every mark is about it.
 */

import type { JsonObject } from '../../../src/contract/vocabulary.js';
import { bool, str } from '../../../src/text/json.js';
import type { StreamContext } from './options.js';

export interface Ownership {
  /** The prompt was sent. */
  asked(): void;
  /** An `init` line came. */
  began(): void;
  /** A `user` line came. @returns whether it is the prompt that the program took just now */
  taken(line: JsonObject): boolean;
  /** Another turn has to begin before anything is ours again, since guidance came too late for this one. */
  again(): void;
  /** Whether what is said now belongs to our prompt. */
  isOurs(): boolean;
  /** Whether this `result` ends our turn. */
  ends(result: JsonObject): boolean;
}

export function ownership({ program, turn }: StreamContext): Ownership {
  const oneWay = turn.oneWay !== undefined;
  let asked = oneWay;
  let ours = oneWay;
  const isHuman = (kind: string | undefined) => kind === undefined || kind === 'human' || kind === 'user';
  return {
    asked() {
      asked = true;
    },
    began() {
      if (asked && program.echoes !== true) ours = true;
    },
    taken(line) {
      if (!asked || program.echoes !== true || !bool(line, 'isReplay')) return false;
      const first = !ours;
      ours = true;
      return first;
    },
    again() {
      if (program.echoes === true) ours = false;
    },
    isOurs: () => ours,
    ends(result) {
      if (!isHuman(str(result, 'origin', 'kind'))) return false;
      // A failure before the prompt was taken is one of the program: no turn will follow.
      return ours || bool(result, 'is_error') === true;
    },
  };
}
