/** What the agent wants of the host: a tool run, a permission, an answer. What comes back is heard under the same key. */

import type { Action, Heard } from '../runner/action.js';
import type { RunCall } from './caller-tools.js';
import type { Parts } from './parts.js';

export type Want = Extract<Action, { do: 'call' | 'ask' | 'inquire' | 'withdraw' }>;

export function wanting(of: Parts, call: RunCall, hear: (heard: Heard) => void): (want: Want) => void {
  return (want) => {
    const { key } = want;
    switch (want.do) {
      case 'call':
        return call(key, want.name, want.args, (ok, text) => hear({ type: 'answer', key, ok, text }));
      case 'ask':
        return of.permissions.ask(key, want.question, (choice, message) =>
          hear({ type: 'decision', key, choice, message }),
        );
      case 'inquire':
        return of.inquiries.ask(key, want.inquiry, (answers) => hear({ type: 'answers', key, answers }));
      case 'withdraw':
        of.permissions.withdraw(key);
        of.inquiries.withdraw(key);
        return of.calls.withdraw(key);
      default: {
        const never: never = want;
        throw new Error(`unknown action ${JSON.stringify(never)}`);
      }
    }
  };
}
