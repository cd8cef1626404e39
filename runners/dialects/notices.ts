/** What a turn's flags can't do on a program, told once when its first process has begun. */

import type { Action, Conversation } from '../../src/runner/action.js';

/** @param messages whole sentences; nothing is added where there are none */
export function withNotices(messages: readonly string[], conversation: Conversation): Conversation {
  let told = messages.length === 0;
  return {
    hear(heard) {
      const actions = conversation.hear(heard);
      if (told || heard.type !== 'spawned') return actions;
      told = true;
      return [...messages.map((message): Action => ({ do: 'say', event: { type: 'notice', message } })), ...actions];
    },
  };
}
