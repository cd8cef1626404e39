/** Continue's turn: plain text, with the session's file for everything that happened on the way. */

import type { Action, Conversation } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { atStart } from '../dialects/at-start.js';
import { type PlainProgram, plainText } from '../dialects/plain-text.js';
import { failure } from './errors.js';
import { mainInvocation, sessionFile, sessionId } from './invoke.js';
import { historyOf, turnActions } from './session.js';

function program(before: number): PlainProgram {
  return {
    title: 'Continue',
    grows: false,
    failure,
    told(exit) {
      const history = historyOf(exit.files['session']);
      return history === null || history.length <= before ? null : turnActions(history, before);
    },
  };
}

/** The turn proper. @param before entries of the session's history that are not of this turn */
function answering(request: TurnRequest, machine: Machine, before: number): Conversation {
  const session: Action[] =
    sessionFile(machine, '') === null
      ? []
      : [{ do: 'say', event: { type: 'session', session_id: sessionId(request, machine) } }];
  return atStart(session, plainText(program(before), null));
}

/** A separate process first looks up a resumed session (see `invoke`). */
export function converse(request: TurnRequest, machine: Machine): Conversation {
  if (request.resume === null) return answering(request, machine, 0);
  let turn: Conversation | null = null;
  return {
    hear(heard) {
      if (turn !== null) return turn.hear(heard);
      switch (heard.type) {
        case 'spawned':
          return [{ do: 'between' }];
        case 'stop':
          return [{ do: 'finish', outcome: { ok: false, code: 'cancelled', message: 'Continue was not started.' } }];
        case 'exit': {
          const history = historyOf(heard.files['session']);
          if (history === null) {
            const message = `continue has no session ${request.resume ?? ''}`;
            return [{ do: 'finish', outcome: { ok: false, code: 'session-not-found', message } }];
          }
          turn = answering(request, machine, history.length);
          return [{ do: 'spawn', invocation: mainInvocation(request, machine) }];
        }
        default:
          return [];
      }
    },
  };
}
