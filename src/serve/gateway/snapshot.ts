/** A session as it is now: what a client needs to show it, and from where on it is told the rest. */

import type { JsonObject } from '../../contract/vocabulary.js';
import { isOver, type RunRecord, type SessionRecord } from '../../runs/records.js';
import { historyOf } from './history.js';
import { infoOf } from './info.js';
import { epochOf } from './ledger.js';
import { framesOf } from './locks.js';
import type { Asking } from './method.js';
import { openQuestions } from './questions.js';

export type Status = 'idle' | 'starting' | 'working' | 'waiting';

/** By the turn that is under way, if one is. */
export function statusOf(runs: readonly RunRecord[]): Status {
  const live = runs.find(({ status }) => !isOver(status));
  if (live === undefined) return 'idle';
  if (live.status === 'queued') return 'starting';
  return live.status === 'waiting_for_approval' ? 'waiting' : 'working';
}

/**
 * Follows the session from the moment of the snapshot on.
 * @param omit whether the rows of the history are left out
 */
export async function snapshot(asking: Asking, record: SessionRecord, omit: boolean): Promise<JsonObject> {
  const { gateway, caller } = asking;
  const { core } = gateway;
  const id = record.session_id;
  const from = await asking.attach(id);
  asking.hold(id);
  const { rows } = await historyOf(core, record, caller);
  const open = await openQuestions(core, caller, id);
  const runs = await core.sessions.runs(id, caller);
  const waiting = runs.filter(({ status, run_id }) => status === 'queued' && run_id !== from.live?.run.run_id);
  asking.afterwards(() => asking.questions.given(open));
  const live = from.live;
  const approval = open.find(({ method }) => method === 'approval');
  return {
    session_id: id,
    stored_session_id: id,
    session_key: id,
    message_count: rows.length,
    messages: omit ? [] : rows,
    ...(omit ? { messages_omitted: true } : {}),
    info: await infoOf(gateway, record, caller, live !== null),
    running: live !== null,
    started_at: (gateway.open.get(id)?.startedAt ?? record.created_at) / 1000,
    ...(live?.run.started_at ? { turn_started_at: live.run.started_at / 1000 } : {}),
    status: live === null ? 'idle' : statusOf(runs),
    inflight:
      live === null ? null : { user: live.run.prompt, assistant: live.said, streaming: true, turn_id: live.run.run_id },
    ...(waiting.length === 0
      ? {}
      : {
          queued: { user: waiting[0]?.prompt ?? '' },
          queue: waiting.map(({ run_id, prompt }) => ({ turn_id: run_id, user: prompt })),
        }),
    open_requests: framesOf(open, gateway.locks),
    ...(approval ? { pending_approval: approval.params } : {}),
    latest_seq: from.seq,
    replay_epoch: epochOf(core),
  };
}
