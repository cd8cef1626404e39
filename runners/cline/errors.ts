/** What Cline's errors mean (3.0.65). Beside its class `auth` it passes on the provider's words alone. */

import type { TurnErrorCode } from '../../src/contract/error.js';
import type { Outcome } from '../../src/runner/action.js';
import { codeOfWords } from '../../src/text/failure-words.js';

const CLASSES: Readonly<Record<string, TurnErrorCode>> = { auth: 'auth' };

/** It asked three times for a shorter answer before it says so. */
const OUT_OF_TOKENS = /^Model reached the maximum output token limit before completing the turn$/;

/** The last error that is not `recoverable`; those that are (a refused tool) belong to turns that go on. */
export interface NativeError {
  message: string;
  kind: string | undefined;
}

export function outcomeOfError({ message, kind }: NativeError): Outcome {
  if (OUT_OF_TOKENS.test(message)) return { ok: true, stopReason: 'max_tokens' };
  const code = CLASSES[kind ?? ''] ?? codeOfWords(message) ?? 'runner-error';
  return { ok: false, code, message };
}
