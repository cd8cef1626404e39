/** Sessions and their messages as `/api/sessions` tells them. Pure. */

import type { JsonObject } from '../../../contract/vocabulary.js';
import type { Message, RunRecord, SessionRecord } from '../../../runs/records.js';
import { addKnown } from '../../../text/json.js';
import { modelShown, seconds } from '../runs/status.js';
import { SESSION_END, SESSION_SYSTEM, shownName } from '../session-names.js';

const PREVIEW = 200;

export interface SessionParts {
  session: SessionRecord;
  runs: readonly RunRecord[];
  messages: readonly Message[];
}

const sum = (runs: readonly RunRecord[], key: 'input_tokens' | 'output_tokens' | 'cached_tokens' | 'cost_usd') =>
  runs.reduce<number | null>((all, run) => addKnown(all, run[key]), null);

/** What nobody counted is null. */
export function sessionShown({ session, runs, messages }: SessionParts): JsonObject {
  const { metadata, title, created_at, updated_at, parent, surface, chosen, runtime } = session;
  return {
    id: shownName(session),
    source: surface,
    user_id: null,
    model: modelShown({ runtime, model: chosen?.model ?? null }),
    title: title === '' ? null : title,
    started_at: seconds(created_at),
    ended_at: null,
    end_reason: metadata[SESSION_END] ?? null,
    message_count: messages.length,
    tool_call_count: null,
    input_tokens: sum(runs, 'input_tokens'),
    output_tokens: sum(runs, 'output_tokens'),
    cache_read_tokens: sum(runs, 'cached_tokens'),
    cache_write_tokens: null,
    reasoning_tokens: null,
    estimated_cost_usd: null,
    actual_cost_usd: sum(runs, 'cost_usd'),
    api_call_count: null,
    parent_session_id: parent,
    last_active: seconds(updated_at),
    preview: messages.find(({ role }) => role === 'user')?.text.slice(0, PREVIEW) ?? null,
    has_system_prompt: metadata[SESSION_SYSTEM] !== undefined,
    has_model_config: chosen !== undefined,
  };
}

export const messageShown = ({ role, text, at }: Message, index: number, session: string): JsonObject => ({
  id: index + 1,
  session_id: session,
  role,
  content: text,
  tool_call_id: null,
  tool_calls: null,
  tool_name: null,
  timestamp: seconds(at),
  token_count: null,
  finish_reason: null,
  reasoning: null,
  reasoning_content: null,
});
