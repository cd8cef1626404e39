/** A run that was accepted and has not begun. */

import type { Given } from './clock-and-ids.js';
import { projectOf, seriesMetadata } from './org/series.js';
import type { Submission } from './ports.js';
import type { RunRecord } from './records.js';

export function newRecord({ plan, caller, metadata }: Submission, session: string, given: Given): RunRecord {
  const { request } = plan;
  const id = `run_${given.id().replaceAll('-', '')}`;
  const now = given.now();
  return {
    run_id: id,
    session_id: session,
    status: 'queued',
    runtime: request.runtime,
    model: request.model,
    cwd: request.cwd,
    access: request.access,
    prompt: request.prompt,
    created_at: now,
    started_at: null,
    updated_at: now,
    ended_at: null,
    exit_code: null,
    stop_reason: null,
    error: null,
    text: null,
    input_tokens: null,
    output_tokens: null,
    cached_tokens: null,
    cost_usd: null,
    last_seq: 0,
    pending_steer: null,
    ended_by: null,
    principal: caller.principal.name,
    surface: caller.surface,
    metadata: {
      ...metadata,
      ...(plan.series ? seriesMetadata({ ...plan.series, project: projectOf(request.cwd) }) : {}),
    },
  };
}
