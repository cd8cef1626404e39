/** Something to be said once, when a turn's first process has begun. */

import type { NoticeCode } from '../../src/contract/vocabulary.js';
import type { Action, Conversation } from '../../src/runner/action.js';
import { notice } from './notice.js';

export function atStart(first: readonly Action[], conversation: Conversation): Conversation {
  let told = first.length === 0;
  return {
    hear(heard) {
      const actions = conversation.hear(heard);
      if (told || heard.type !== 'spawned') return actions;
      told = true;
      return [...first, ...actions];
    },
  };
}

/** What a turn's flags can't do on a program: whole sentences. */
export function notices(said: readonly { code: NoticeCode; message: string }[]): Action[] {
  return said.map(({ code, message }) => notice(code, message));
}
