/** A run as `GET /v1/runs/ID` tells it. Pure. */

import type { JsonObject } from '../../../contract/vocabulary.js';
import type { RunRecord, RunStatus } from '../../../runs/records.js';
import { isOver } from '../../../runs/records.js';
import type { RunView } from '../../../runs/view.js';
import type { Names } from '../names.js';
import { shownName } from '../session-names.js';
import { approvalShown, questionShown } from './asked.js';

/** Ends at which the agent was stopped: its answer is not whole. */
const CUT = new Set(['max_tokens', 'max_turns', 'tool_round_cap', 'budget']);

export const seconds = (ms: number): number => ms / 1000;

/** A run that was stopped at a limit has failed here, with what it said as its output. */
export const shownStatus = ({ status, stop_reason }: RunRecord): RunStatus =>
  status === 'completed' && CUT.has(stop_reason ?? '') ? 'failed' : status;

/** Null unless both counts are known. */
export const usageShown = ({
  input_tokens: input,
  output_tokens: output,
}: Pick<RunRecord, 'input_tokens' | 'output_tokens'>): JsonObject | null =>
  input === null || output === null
    ? null
    : { input_tokens: input, output_tokens: output, total_tokens: input + output };

function reason({ ended_by, stop_reason }: RunRecord): string | null {
  if (ended_by === 'user') return 'interrupted_by_user';
  return ended_by === null ? stop_reason : `interrupted_by_system(${ended_by})`;
}

function errorOf(run: RunRecord): string | null {
  if (run.error !== null) return run.error.message;
  return CUT.has(run.stop_reason ?? '') ? `The agent was stopped at a limit: ${run.stop_reason}.` : null;
}

/** How a run ended; empty while it goes on. Its last event has the same fields. */
export function outcome(run: RunRecord): JsonObject {
  if (!isOver(run.status)) return {};
  const status = shownStatus(run);
  const usage = usageShown(run);
  const error = status === 'failed' || status === 'interrupted' ? errorOf(run) : null;
  const why = status === 'completed' && run.stop_reason === 'end_turn' ? null : reason(run);
  return {
    ...(run.text === null ? {} : { output: run.text }),
    ...(usage === null ? {} : { usage }),
    ...(error === null ? {} : { error }),
    ...(run.error === null ? {} : { error_code: run.error.code }),
    completed: status === 'completed',
    ...(CUT.has(run.stop_reason ?? '') ? { partial: true } : {}),
    ...(status === 'cancelled' || status === 'interrupted' ? { interrupted: true } : {}),
    ...(why === null ? {} : { turn_exit_reason: why }),
    ...(run.pending_steer === null ? {} : { pending_steer: run.pending_steer }),
  };
}

/** `runtime/model`, as it may stand in `model`. */
export const modelShown = ({ runtime, model }: Pick<RunRecord, 'runtime' | 'model'>): string =>
  model === null ? runtime : `${runtime}/${model}`;

export function statusShown({ run, questions, asked }: RunView, names: Names): JsonObject {
  const status = shownStatus(run);
  const [approval] = questions;
  const [question] = asked;
  const waits = status === 'waiting_for_approval' && approval !== undefined;
  return {
    object: `${names.prefix}.run`,
    run_id: run.run_id,
    status,
    created_at: seconds(run.created_at),
    updated_at: seconds(run.updated_at),
    session_id: shownName(run),
    model: modelShown(run),
    ...(isOver(run.status) ? { last_event: `run.${status}` } : waits ? { last_event: 'approval.request' } : {}),
    ...outcome(run),
    ...(waits ? { approval: approvalShown(run, approval) } : {}),
    ...(question === undefined ? {} : { question: questionShown(question) }),
  };
}
