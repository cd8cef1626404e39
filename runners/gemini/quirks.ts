/** Where Gemini CLI (0.61.0) leaves ACP's path. */

import { codeOfWords } from '../../src/text/failure-words.js';
import { arr, num, parseObject, str } from '../../src/text/json.js';
import type { RpcError } from '../../src/text/json-rpc.js';
import type { Failure, Quirks, TokenReader, Where } from '../dialects/acp/index.js';
import { serverLine } from './servers.js';

/**
 * Sums over the turn's model calls; cached tokens are in the input. Thoughts are not in the output, and every current model
 * thinks: the output is unknown.
 */
const tokens: TokenReader = (result) => {
  const input = num(result, '_meta', 'quota', 'token_count', 'input_tokens');
  if (!input) return null;
  const models = (arr(result, '_meta', 'quota', 'model_usage') ?? []).flatMap((one) => str(one, 'model') ?? []);
  return { spent: { input, output: null, costUsd: null }, models };
};

// Samples: "You have exhausted your daily quota on this model.", "models/x is not found for API version v1beta, or …".
const EXHAUSTED = /^You have exhausted your\b.*\bquota\b/;
const NO_MODEL = /^models\/\S+ is not found for API version /;
// At the end of the last error of ten tries.
const RETRY_AFTER = /\nSuggested retry after (\d+)s\.$/;
const NO_SESSION = /^(No previous sessions found for this project\.|Invalid session identifier )/;

/** The code is the HTTP status, the message often the server's JSON. */
function classify(error: RpcError, where: Where): Failure | undefined {
  const body = parseObject(error.message);
  const message = str(body, 'error', 'message') ?? error.message;
  if (where === 'load') {
    const details = str(error.data, 'details') ?? error.message;
    return NO_SESSION.test(details) ? { code: 'session-not-found', message: details } : undefined;
  }
  if (NO_MODEL.test(message)) return { code: 'model-unavailable', message };
  const reasons = (arr(body, 'error', 'details') ?? []).map((detail) => str(detail, 'reason'));
  if (reasons.includes('API_KEY_INVALID')) return { code: 'auth', message };
  switch (error.code) {
    case 401:
    case 403:
      return { code: 'auth', message };
    case 404:
      return { code: 'model-unavailable', message };
    case 429: {
      const wait = RETRY_AFTER.exec(message)?.[1];
      return {
        code: EXHAUSTED.test(message) ? 'quota' : 'rate-limited',
        message,
        ...(wait === undefined ? {} : { retryAfterMs: Number(wait) * 1000 }),
      };
    }
    default:
      return error.code >= 400 && error.code < 600
        ? { code: codeOfWords(message) ?? 'runner-error', message }
        : undefined;
  }
}

export const quirks: Quirks = {
  title: 'Gemini CLI',
  mcpNames: ['{tool} ({server} MCP Server)', 'mcp_{server}_{tool}'],
  nameInId: /^(.+?)__/,
  titleIsCommand: true,
  refusedByRule: /^Tool execution for ".*" denied by policy/s,
  keepAllowing: ['proceed_always_tool', 'proceed_always_server'],
  commandMarks: '/$',
  // `session/load` first opens a fresh log under the same id: within the minute in which the session began it is the same
  // file, and the conversation in it is lost. The blank is trimmed only when the old one is looked for.
  continueId: (id) => ` ${id}`,
  replayLags: true,
  model: 'argv',
  thoughtNoise: /^\*\*\*\*\n/,
  wholeThoughts: true,
  announcesAttempts: true,
  serverLine,
  repeatsCut: true,
  notModel: /^\[MODE_UPDATE\] \w+$/,
  tokens,
  classify,
  // With a Google login that has run out it asks for a code, and reads our first message as one.
  plainLine: (line) =>
    line.endsWith('Please visit the following URL to authorize the application:')
      ? { ok: false, code: 'auth', message: 'Gemini CLI is not logged in.' }
      : undefined,
  exits: { 41: 'auth' },
};
