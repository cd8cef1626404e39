/** A turn as one JSON object on stdout, for scripts (`--format json`). */

import type { Event, PatchEvent, ResultEvent } from '../contract/event.js';
import type { Json } from '../contract/vocabulary.js';
import type { Shown } from './text-view.js';

/** What is printed when the turn is over; unknown is null. */
export interface TurnSummary {
  v: 1;
  type: 'turn';
  ok: boolean;
  exit_code: number;
  stop_reason: string;
  runtime: string | null;
  runtime_version: string | null;
  session_id: string | null;
  /** The answer; with an output schema, its JSON text. */
  output: string | null;
  /** The parsed answer, with an output schema alone. */
  structured?: Json;
  usage: {
    input_tokens: number | null;
    output_tokens: number | null;
    cached_tokens: number | null;
    cost_usd: number | null;
  };
  /** Paths that the agent's own tools reported as written, or with `--isolate` all that changed. */
  files_changed: string[];
  workspace: string | null;
  notices: string[];
  error: {
    code: string;
    message: string;
    hint: string | null;
    retry_after_ms: number | null;
    resets_at: string | null;
  } | null;
  duration_ms: number;
}

/** @returns a function that is given every event in order, and shows the summary with the last */
export function jsonResult(): (event: Event) => Shown {
  let runtime: string | null = null;
  let version: string | null = null;
  let session: string | null = null;
  let result: ResultEvent | null = null;
  let patch: PatchEvent | null = null;
  let error: TurnSummary['error'] = null;
  /** The last message, for results that leave a long text out. */
  let last = { id: '', text: '' };
  const notices: string[] = [];
  const writing = new Map<string, string>();
  const written = new Set<string>();
  const nothing: Shown = { out: '', lines: [], live: null };

  return (event) => {
    switch (event.type) {
      case 'start':
        runtime = event.runtime;
        version = event.runtime_version ?? null;
        return nothing;
      case 'session':
        session = event.session_id;
        return nothing;
      case 'assistant':
        if (event.parent_tool_use_id === undefined) {
          last = { id: event.message_id, text: last.id === event.message_id ? last.text + event.text : event.text };
        }
        return nothing;
      case 'tool_activity': {
        if (event.phase === 'start') {
          const path = event.input?.['file_path'];
          if ((event.kind === 'write' || event.kind === 'edit') && typeof path === 'string')
            writing.set(event.id, path);
          return nothing;
        }
        const path = writing.get(event.id);
        if (path !== undefined && event.ok) written.add(path);
        return nothing;
      }
      case 'status':
        if (event.phase === 'notice' && event.message !== undefined) notices.push(event.message);
        return nothing;
      case 'patch':
        patch = event;
        return nothing;
      case 'result':
        result = event;
        return nothing;
      case 'error':
        if (event.code === 'bad-frame') return nothing;
        error = {
          code: event.code,
          message: event.message,
          hint: event.hint ?? null,
          retry_after_ms: event.retry_after_ms ?? null,
          resets_at: event.resets_at ?? null,
        };
        return nothing;
      case 'done': {
        const totals = event.totals;
        const summary: TurnSummary = {
          v: 1,
          type: 'turn',
          ok: event.exit_code === 0,
          exit_code: event.exit_code,
          stop_reason: event.stop_reason,
          runtime,
          runtime_version: version,
          session_id: session,
          output: result === null ? null : (result.output ?? last.text),
          ...(result?.structured === undefined ? {} : { structured: result.structured }),
          usage: {
            input_tokens: totals?.input_tokens ?? null,
            output_tokens: totals?.output_tokens ?? null,
            cached_tokens: totals?.cached_tokens ?? null,
            cost_usd: totals?.cost_usd ?? null,
          },
          files_changed: patch === null ? [...written] : patch.files.map((file) => file.path),
          workspace: patch?.workspace ?? null,
          notices,
          error,
          duration_ms: event.duration_ms,
        };
        return { ...nothing, out: `${JSON.stringify(summary)}\n` };
      }
      case 'thinking':
      case 'tool_call':
      case 'tool_result':
      case 'subagent':
      case 'plan':
      case 'permission_request':
      case 'question':
      case 'usage':
        return nothing;
      default: {
        const never: never = event;
        throw new Error(`unknown event ${JSON.stringify(never)}`);
      }
    }
  };
}
