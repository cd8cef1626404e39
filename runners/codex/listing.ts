/** Models and sessions: requests to the app server (seen in 0.171.0), sent together with the handshake. */

import type { ModelEntry } from '../../src/contract/listing.js';
import { EFFORTS, type Json, type JsonObject } from '../../src/contract/vocabulary.js';
import type { ModelQuery, Query, QuotaQuery, SessionFound, SessionSource } from '../../src/runner/listing.js';
import { arr, bool, num, obj, parseObject, str } from '../../src/text/json.js';
import { windowsOf } from './plan-limits.js';

const ASKED = 2;

function question(method: string, params: JsonObject): string[] {
  const clientInfo = { name: 'turnout', title: 'Turnout', version: '1' };
  return [
    JSON.stringify({ id: 1, method: 'initialize', params: { clientInfo } }),
    JSON.stringify({ method: 'initialized' }),
    JSON.stringify({ id: ASKED, method, params }),
  ];
}

/** The list in the answer; null while there is none, or when the server refused. */
function answer(lines: readonly string[]): Json[] | null {
  const reply = lines.map(parseObject).find((line) => num(line, 'id') === ASKED);
  return reply ? (arr(reply, 'result', 'data') ?? null) : null;
}

/**
 * `account/rateLimits/read` asks OpenAI's account, not a model. With an API key or no login it is refused: no plan
 * applies ("codex account authentication required to read rate limits").
 */
export const quota: QuotaQuery = {
  args: ['app-server'],
  say: question('account/rateLimits/read', {}),
  read(lines) {
    const reply = lines.map(parseObject).find((line) => num(line, 'id') === ASKED);
    if (reply === undefined) return null;
    if (/authentication required/.test(str(reply, 'error', 'message') ?? '')) return [];
    const result = obj(reply, 'result');
    if (result === undefined) return null;
    const all = Object.values(obj(result, 'rateLimitsByLimitId') ?? {});
    const limits = all.length > 0 ? all : [obj(result, 'rateLimits')];
    return [
      {
        plan: str(result, 'rateLimits', 'planType') ?? null,
        windows: limits.flatMap((one) => windowsOf(one ?? undefined)),
      },
    ];
  },
};

function model(entry: Json): ModelEntry[] {
  const id = str(entry, 'id');
  if (id === undefined || bool(entry, 'hidden') === true) return [];
  const [label, description] = [str(entry, 'displayName'), str(entry, 'description')];
  const levels = (arr(entry, 'supportedReasoningEfforts') ?? []).map((one) => str(one, 'reasoningEffort'));
  return [
    {
      id,
      ...(label === undefined ? {} : { label }),
      ...(description === undefined ? {} : { description }),
      ...(bool(entry, 'isDefault') === true ? { default: true } : {}),
      ...(levels.length > 0 ? { effort_levels: EFFORTS.filter((effort) => levels.includes(effort)) } : {}),
    },
  ];
}

function session(entry: Json): SessionFound[] {
  const id = str(entry, 'id');
  if (id === undefined) return [];
  const seconds = num(entry, 'updatedAt') ?? num(entry, 'createdAt');
  return [
    {
      id,
      title: str(entry, 'name') ?? str(entry, 'preview')?.slice(0, 200) ?? null,
      time: seconds === undefined ? null : seconds * 1000,
      cwd: str(entry, 'cwd') ?? null,
    },
  ];
}

export const models: ModelQuery = {
  args: ['app-server'],
  say: question('model/list', {}),
  read: (lines) => answer(lines)?.flatMap(model) ?? null,
};

export function sessions(cwd: string): SessionSource {
  const ask: Query<SessionFound> = {
    args: ['app-server'],
    say: question('thread/list', { cwd, limit: 100 }),
    read: (lines) => answer(lines)?.flatMap(session) ?? null,
  };
  return { ask };
}
