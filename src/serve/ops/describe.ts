/** Runs and sessions as they stand in answers. */

import type { JsonObject } from '../../contract/vocabulary.js';
import type { RunRecord, SessionRecord } from '../../runs/records.js';

/** What a turn came to. */
export function summary(run: RunRecord): JsonObject {
  return {
    exit_code: run.exit_code,
    run_id: run.run_id,
    session_id: run.session_id,
    status: run.status,
    stop_reason: run.stop_reason,
    text: run.text,
    usage: {
      input_tokens: run.input_tokens,
      output_tokens: run.output_tokens,
      cached_tokens: run.cached_tokens,
      cost_usd: run.cost_usd,
    },
    ...(run.error === null ? {} : { error: run.error }),
    ...(run.pending_steer === null ? {} : { pending_steer: run.pending_steer }),
    last_seq: run.last_seq,
  };
}

/** Everything that is kept of a run. */
export function whole(run: RunRecord): JsonObject {
  return { ...run, error: run.error, metadata: { ...run.metadata } };
}

/** One line of a list. */
export function brief(run: RunRecord): JsonObject {
  const { run_id, session_id, status, runtime, cwd, created_at, started_at, ended_at, exit_code, cost_usd } = run;
  const prompt = run.prompt.length > 200 ? `${run.prompt.slice(0, 200)}…` : run.prompt;
  return { run_id, session_id, status, runtime, cwd, prompt, created_at, started_at, ended_at, exit_code, cost_usd };
}

export function session(one: SessionRecord): JsonObject {
  const { chosen: _chosen, deleted: _deleted, opening: _opening, dropped: _dropped, ...shown } = one;
  return { ...shown, metadata: { ...shown.metadata } };
}
