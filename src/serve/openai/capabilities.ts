/** `GET /v1/capabilities`: what this server can do, for clients that look before they ask. */

import type { JsonObject } from '../../contract/vocabulary.js';
import type { Names } from './names.js';

const KEYS_KEPT_S = 24 * 60 * 60;

const at = (method: string, path: string): JsonObject => ({ method, path });

const ENDPOINTS: JsonObject = {
  health: at('GET', '/health'),
  health_detailed: at('GET', '/health/detailed'),
  models: at('GET', '/v1/models'),
  chat_completions: at('POST', '/v1/chat/completions'),
  responses: at('POST', '/v1/responses'),
  runs: at('POST', '/v1/runs'),
  run_status: at('GET', '/v1/runs/{run_id}'),
  run_events: at('GET', '/v1/runs/{run_id}/events'),
  run_approval: at('POST', '/v1/runs/{run_id}/approval'),
  run_answer: at('POST', '/v1/runs/{run_id}/answer'),
  run_steer: at('POST', '/v1/runs/{run_id}/steer'),
  run_stop: at('POST', '/v1/runs/{run_id}/stop'),
  messages: at('POST', '/v1/messages'),
  messages_count_tokens: at('POST', '/v1/messages/count_tokens'),
  model_options: at('GET', '/api/model/options'),
  sessions: at('GET', '/api/sessions'),
  session_create: at('POST', '/api/sessions'),
  session: at('GET', '/api/sessions/{session_id}'),
  session_update: at('PATCH', '/api/sessions/{session_id}'),
  session_delete: at('DELETE', '/api/sessions/{session_id}'),
  session_messages: at('GET', '/api/sessions/{session_id}/messages'),
  session_fork: at('POST', '/api/sessions/{session_id}/fork'),
  session_chat: at('POST', '/api/sessions/{session_id}/chat'),
  session_chat_stream: at('POST', '/api/sessions/{session_id}/chat/stream'),
};

export interface Served {
  names: Names;
  /** Whether callers show a key. */
  auth: boolean;
  /** Whether pages of other origins may call. */
  cors: boolean;
}

export function capabilities({ names, auth, cors }: Served): JsonObject {
  return {
    object: `${names.prefix}.api_server.capabilities`,
    platform: names.platform,
    model: names.model,
    auth: { type: 'bearer', required: auth },
    runtime: {
      mode: 'server_agent',
      tool_execution: 'server',
      split_runtime: false,
      description:
        "Agents work on the server's machine with their own tools; tools that a request declares are the caller's.",
    },
    features: {
      chat_completions: true,
      chat_completions_streaming: true,
      client_tools: true,
      responses_api: true,
      responses_streaming: true,
      reasoning_streaming: true,
      run_submission: true,
      run_status: true,
      run_events_sse: true,
      run_events_replay: true,
      run_stop: true,
      run_steer: true,
      run_approval_response: true,
      approval_events: true,
      question_events: true,
      tool_progress_events: true,
      runs_idempotency: { supported: true, durable: true, retention_seconds: KEYS_KEPT_S },
      session_resources: true,
      session_chat: true,
      session_chat_streaming: true,
      session_fork: true,
      messages_api: true,
      model_options: true,
      skills_api: false,
      admin_config_rw: false,
      jobs_admin: false,
      memory_write_api: false,
      audio_api: false,
      realtime_voice: false,
      session_continuity_header: names.session,
      session_key_header: names.key,
      cors,
    },
    endpoints: ENDPOINTS,
  };
}
