/** pi's failures in our codes. It passes on the provider's message; what happens before a run stands on stderr. */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Outcome } from '../../src/runner/action.js';
import { str } from '../../src/text/json.js';
import { codeOfMessage, withoutKey } from '../dialects/openai-error.js';

function failed(message: JsonObject | null): Outcome {
  const text = str(message ?? {}, 'errorMessage') ?? 'pi failed without saying why';
  return { ok: false, code: codeOfMessage(text) ?? 'runner-error', message: withoutKey(text) };
}

/** How the turn ended, from the last message of the assistant (pi 1.6.0: exit code 0 whatever happened). */
export function outcomeOf(message: JsonObject | null): Outcome {
  const reason = str(message ?? {}, 'stopReason');
  const raw = str(message ?? {}, 'rawStopReason');
  switch (reason) {
    case 'stop':
    case 'toolUse':
      // A message that carries an error has failed, whatever it says of its end.
      if (str(message ?? {}, 'errorMessage') !== undefined) return failed(message);
      return { ok: true, stopReason: raw === 'refusal' ? 'refusal' : 'end_turn' };
    case 'length':
      return { ok: true, stopReason: 'max_tokens' };
    case 'error': {
      if (raw === 'content_filter' || raw === 'refusal') return { ok: true, stopReason: 'refusal' };
      return failed(message);
    }
    case 'aborted':
      return { ok: false, code: 'runner-error', message: 'pi aborted the turn' };
    default:
      return { ok: false, code: 'runner-error', message: 'pi settled without an answer' };
  }
}

/** A prompt that pi did not take. */
export function refusedOutcome(error: string): Outcome {
  const first = error.split('\n')[0] ?? error;
  return /^No API key found for /.test(error)
    ? { ok: false, code: 'auth', message: first }
    : { ok: false, code: 'runner-error', message: `pi did not take the prompt: ${error}` };
}

/** What a line of stderr says about an early end; null for others. */
export function startFailure(line: string): Outcome | null {
  if (/^No session found matching '/.test(line)) return { ok: false, code: 'session-not-found', message: line };
  const elsewhere = /^Session found in different project: (.*)$/.exec(line);
  if (elsewhere) {
    const message = `the session belongs to ${elsewhere[1]}; continue it there`;
    return { ok: false, code: 'session-not-found', message };
  }
  return /^Error: Model ".*" not found\./.test(line) ? { ok: false, code: 'model-unavailable', message: line } : null;
}
