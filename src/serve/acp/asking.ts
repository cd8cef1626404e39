/** A permission question of the runtime → the client's user. Whatever is no clear yes is a no. */

import {
  type AgentContext,
  methods,
  type PermissionOption,
  type ToolCallUpdate,
} from '@agentclientprotocol/sdk/unstable';
import type { PermissionRequestEvent } from '../../contract/event.js';
import type { Choice } from '../../contract/vocabulary.js';

export interface Answered {
  choice: Choice;
  /** Why it was denied, where the user did not say no. */
  message?: string;
}

function optionFor(choice: Choice): PermissionOption {
  switch (choice) {
    case 'allow_once':
      return { optionId: choice, name: 'Allow', kind: 'allow_once' };
    case 'allow_session':
      return { optionId: choice, name: 'Always allow in this session', kind: 'allow_always' };
    case 'deny':
      return { optionId: choice, name: 'Reject', kind: 'reject_once' };
    default: {
      const never: never = choice;
      return never;
    }
  }
}

export interface AskOptions {
  client: AgentContext;
  sessionId: string;
  event: PermissionRequestEvent;
  toolCall: ToolCallUpdate;
  /** How long the user may think; 0 is for ever. */
  limitMs: number;
  /** Aborted when nobody waits for the answer any more. */
  withdrawn: AbortSignal;
}

/** Never rejects. Null: the question was withdrawn. */
export async function ask(options: AskOptions): Promise<Answered | null> {
  const { client, sessionId, event, toolCall, limitMs, withdrawn } = options;
  const late = new AbortController();
  const timer = limitMs > 0 ? setTimeout(() => late.abort(), limitMs) : null;
  try {
    const { outcome } = await client.request(
      methods.client.session.requestPermission,
      { sessionId, toolCall, options: event.choices.map(optionFor) },
      { cancellationSignal: AbortSignal.any([withdrawn, late.signal]), stopWaitingOnCancel: true },
    );
    if (outcome.outcome === 'cancelled') return { choice: 'deny', message: 'The question was cancelled.' };
    const chosen = event.choices.find((choice) => choice === outcome.optionId);
    return chosen === undefined
      ? { choice: 'deny', message: 'The answer was none of the options.' }
      : { choice: chosen };
  } catch (error) {
    if (withdrawn.aborted) return null;
    if (late.signal.aborted) return { choice: 'deny', message: 'Nobody answered in time.' };
    const why = error instanceof Error ? error.message : String(error);
    return { choice: 'deny', message: `The question could not be asked: ${why}` };
  } finally {
    if (timer) clearTimeout(timer);
  }
}
