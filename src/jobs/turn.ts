/** One turn for a job: an ordinary run with its log and its cost. */

import type { StartEvent } from '../contract/event.js';
import type { JsonObject } from '../contract/vocabulary.js';
import { planKeys } from '../request/from-json.js';
import type { Given } from '../request/table.js';
import type { Core } from '../runs/core.js';
import type { Caller } from '../runs/ports.js';
import type { RunRecord } from '../runs/records.js';

/** Tells a program of ours, started inside, that it is the implementer's and not the host's. */
export const JOB_VARIABLE = 'TURNOUT_JOB';

export interface JobTurn {
  job: string;
  tenant: Caller['principal'];
  runtime: string;
  model: string | null;
  prompt: string;
  cwd: string;
  access: 'edit' | 'read';
  /** The runtime's own session; null begins one. */
  session: string | null;
  maxRounds: number | null;
  timeoutMs: number;
  budgetUsd: number | null;
  outputSchema?: JsonObject;
}

export interface TurnEnd {
  run: RunRecord;
  /** What the runtime calls the session. */
  session: string | null;
  start: StartEvent | null;
  /** Ids of the models that answered, where the runtime tells. */
  models: string[];
}

/** @param started hears the run's id as soon as it is accepted */
export async function runTurn(core: Core, turn: JobTurn, started: (run: string) => void): Promise<TurnEnd> {
  const caller: Caller = { principal: turn.tenant, surface: 'jobs' };
  const given: Given = {
    runtime: turn.runtime,
    prompt: turn.prompt,
    cwd: turn.cwd,
    access: turn.access,
    approvals: 'deny',
    timeoutMs: turn.timeoutMs,
    env: { [JOB_VARIABLE]: turn.job },
    ...(turn.model === null ? {} : { model: turn.model }),
    ...(turn.maxRounds === null ? {} : { maxTurns: turn.maxRounds }),
    ...(turn.budgetUsd === null ? {} : { budgetUsd: turn.budgetUsd }),
    ...(turn.outputSchema === undefined ? {} : { outputSchema: turn.outputSchema }),
  };
  const plan = planKeys(given, { cwd: turn.cwd, ambient: core.ambient });
  const { run } = await core.runs.start({
    caller,
    plan,
    conversation: { kind: 'new', native: turn.session },
    metadata: { job: turn.job },
    attended: false,
  });
  started(run.run_id);
  const ended = await core.runs.ended(run.run_id, caller);
  const session = await core.sessions.get(ended.session_id, caller);
  const read = async (after: number) => {
    const { entries } = await core.log.page(run.run_id, after, { entries: 20, size: 1024 * 1024 }, caller);
    return entries.map(({ event }) => event);
  };
  const start = (await read(0)).find((event): event is StartEvent => event.type === 'start') ?? null;
  const last = await read(Math.max(0, ended.last_seq - 10));
  const models = last.flatMap((event) => (event.type === 'result' ? Object.keys(event.model_usage ?? {}) : []));
  return { run: ended, session: session?.native_id ?? null, start, models };
}
