/** Hermes presents a failed model call as the model's answer; its log says what really happened (0.19.0). */

import type { TurnErrorCode } from '../../src/contract/error.js';
import { codeOfStatusText } from '../../src/text/failure-words.js';
import type { LogFact, LogReader } from '../dialects/acp/log.js';

/** `2026-11-30 13:16:02 [ERROR] agent.conversation_loop: …` */
const LINE = /^\S+ \S+ \[(WARNING|ERROR)\] agent\.conversation_loop: (.*)$/;
/** `Retrying API call in 1.0s (attempt 1/3) … error=Error code: 429 - {'error': {'message': 'Rate limit reached …` */
const RETRY = /^Retrying API call in ([\d.]+)s \(attempt (\d+)\/\d+\) .*?\berror=Error code: (\d{3}) - (.*)$/;
/** `API call failed after 3 retries. HTTP 429: Rate limit reached … | provider=…` */
const GAVE_UP = /^API call failed after \d+ retries\. (?:HTTP (\d{3}): )?(.*?)(?: \| provider=.*)?$/;
/** `Non-retryable client error: Error code: 401 - {'error': {'message': 'Incorrect API key provided: …', …}}` */
const REFUSED = /^Non-retryable client error: Error code: (\d{3}) - (.*)$/;

/** `message` of a Python object. */
function words(text: string): string {
  const found = /'message': (?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/.exec(text);
  return found?.[1] ?? found?.[2] ?? text;
}

function codeOf(status: string | undefined, message: string): TurnErrorCode | null {
  return status === undefined ? null : codeOfStatusText(`${status} ${message}`);
}

/** A line of its own, when only the package itself was installed. */
const NO_ADAPTER = /^ACP dependencies not installed\.$/;

/** Its own words in place of an answer: "HTTP 401: …", "API call failed after 3 retries: HTTP 429: …". */
export const NOT_MODEL = /^(?:API call failed after \d+ retries: )?HTTP \d{3}: /;

export function log(): LogReader {
  return {
    read(line): LogFact[] {
      if (NO_ADAPTER.test(line)) {
        return [
          {
            fact: 'hopeless',
            code: 'unsupported',
            message: "its ACP extra is missing: pip install 'hermes-agent[acp,mcp]'",
          },
        ];
      }
      const text = LINE.exec(line)?.[2] ?? '';
      const retry = RETRY.exec(text);
      if (retry !== null) {
        const [, seconds = '', attempt = '', status, rest = ''] = retry;
        const message = words(rest);
        const delayMs = Math.round(Number(seconds) * 1000);
        return [{ fact: 'retry', attempt: Number(attempt), delayMs, code: codeOf(status, message), message }];
      }
      const gaveUp = GAVE_UP.exec(text) ?? REFUSED.exec(text);
      if (gaveUp === null) return [];
      const message = words(gaveUp[2] ?? '');
      return [{ fact: 'hopeless', code: codeOf(gaveUp[1], message) ?? 'runner-error', message }];
    },
  };
}
