/** Caps a vendor's own retries: shown, and ended before they cost minutes. */

import type { TurnErrorCode } from '../contract/error.js';
import type { Action } from '../runner/action.js';

type Retrying = Extract<Action, { do: 'retrying' }>;

const MOST = 3;
const LONGEST_MS = 60_000;

export interface Retries {
  /** @returns the code the turn ends with when this retry is one too many, else null */
  tooMany(retry: Retrying): TurnErrorCode | null;
}

export function retries(): Retries {
  let seen = 0;
  let waited = 0;
  return {
    tooMany(retry) {
      seen++;
      waited += retry.delayMs ?? 0;
      const code = retry.code ?? 'runner-error';
      if (code === 'auth' || seen > MOST || waited > LONGEST_MS) return code;
      return null;
    },
  };
}
