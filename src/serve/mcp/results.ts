/** Runs and faults as tool results: text for a model, structured content for a program. */

import type { CallToolResult } from '@modelcontextprotocol/server';
import { UsageError } from '../../contract/error.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import { faultFields } from '../../request/fault-fields.js';
import { CoreError } from '../../runs/failure.js';
import { isOver, type RunRecord } from '../../runs/records.js';
import { RequestError } from '../../runs/request-error.js';
import { redact } from '../../text/redact.js';
import type { McpSettings } from './settings.js';
import type { Watch } from './watch.js';

const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value });

/** A plain answer: the same JSON for programs and as text. */
export function answer(structuredContent: JsonObject): CallToolResult {
  return { content: [text(JSON.stringify(structuredContent))], structuredContent };
}

/** Why nothing was done. @param secrets values to be masked */
export function refusal(error: unknown, secrets: readonly string[]): CallToolResult {
  const known = error instanceof RequestError || error instanceof CoreError || error instanceof UsageError;
  const message = error instanceof Error ? error.message : String(error);
  const told = redact(known ? message : `turnout itself failed: ${message}`, secrets);
  const code =
    error instanceof CoreError
      ? error.reason
      : error instanceof RequestError
        ? (error.code ?? 'usage')
        : known
          ? 'usage'
          : 'runner-error';
  const where = error instanceof UsageError ? faultFields(error) : {};
  return { isError: true, content: [text(JSON.stringify({ ok: false, error: told, code, ...where }))] };
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** What is known of a run. Unknown is null. */
export async function runContent({ core, caller }: McpSettings, run: RunRecord): Promise<JsonObject> {
  const session = await core.sessions.get(run.session_id, caller);
  return {
    run_id: run.run_id,
    session_id: run.session_id,
    native_session_id: session?.native_id ?? null,
    runtime: run.runtime,
    model: run.model,
    cwd: run.cwd,
    access: run.access,
    status: run.status,
    text: run.text,
    stop_reason: run.stop_reason,
    exit_code: run.exit_code,
    usage: {
      input_tokens: run.input_tokens,
      output_tokens: run.output_tokens,
      cached_tokens: run.cached_tokens,
      cost_usd: run.cost_usd,
    },
    error: run.error === null ? null : { code: run.error.code, message: run.error.message },
    started_at: iso(run.started_at),
    ended_at: iso(run.ended_at),
    last_seq: run.last_seq,
  };
}

function notices(watch: Watch): string[] {
  if (watch.denied.length === 0) return watch.notices;
  const names = [...new Set(watch.denied)].join(', ');
  return [...watch.notices, `Not permitted at this mode and by nobody allowed, so not done: ${names}.`];
}

/** How a finished turn is told: its answer first, then what else there is to know. */
export async function turnResult(settings: McpSettings, run: RunRecord, watch: Watch): Promise<CallToolResult> {
  const failed = isOver(run.status) && run.exit_code !== 0;
  const told = notices(watch);
  const { session_id, run_id, status } = run;
  const why = run.error === null ? `${status}, ${run.stop_reason ?? 'for an unknown reason'}` : run.error.message;
  return {
    content: [
      ...(run.text === null ? [] : [text(run.text)]),
      ...(failed ? [text(`${run.runtime} failed (${run.error?.code ?? status}): ${why}`)] : []),
      ...told.map((one) => text(`Note: ${one}`)),
      text(JSON.stringify({ run_id, session_id, status })),
    ],
    structuredContent: { ...(await runContent(settings, run)), structured: watch.structured, notices: told },
    ...(failed ? { isError: true } : {}),
  };
}
