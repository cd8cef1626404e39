/** What a person should know of a turn, and the word by which a program acts on it. */

import type { NoticeCode } from '../../src/contract/vocabulary.js';
import type { Action } from '../../src/runner/action.js';

export const notice = (code: NoticeCode, message: string): Action => ({
  do: 'say',
  event: { type: 'notice', code, message },
});
