/** Rows of the store → records. The file is the person's own, but may be old, cut or edited: what is missing is filled. */

import { ACCESS_MODES, EFFORTS, type JsonObject } from '../../contract/vocabulary.js';
import { num, obj, parseObject, str } from '../../text/json.js';
import { RUN_STATUSES, type RunRecord, type SessionRecord } from '../records.js';
import type { Row } from './database.js';

export function asRun(row: Row): RunRecord {
  const data = parseObject(String(row['data'])) ?? {};
  const error = obj(data, 'error');
  const created = Number(row['created_at'] ?? 0);
  return {
    run_id: String(row['run_id']),
    session_id: String(row['session_id']),
    status: RUN_STATUSES.find((one) => one === row['status']) ?? 'interrupted',
    runtime: str(data, 'runtime') ?? '',
    model: str(data, 'model') ?? null,
    cwd: str(data, 'cwd') ?? '',
    access: ACCESS_MODES.find((one) => one === data['access']) ?? 'scoped',
    prompt: String(row['prompt'] ?? ''),
    created_at: created,
    started_at: num(data, 'started_at') ?? null,
    updated_at: num(data, 'updated_at') ?? created,
    ended_at: row['ended_at'] === null ? null : Number(row['ended_at']),
    exit_code: num(data, 'exit_code') ?? null,
    stop_reason: str(data, 'stop_reason') ?? null,
    error: error ? { code: str(error, 'code') ?? '', message: str(error, 'message') ?? '' } : null,
    text: typeof row['text'] === 'string' ? row['text'] : null,
    input_tokens: num(data, 'input_tokens') ?? null,
    output_tokens: num(data, 'output_tokens') ?? null,
    cached_tokens: num(data, 'cached_tokens') ?? null,
    cost_usd: num(data, 'cost_usd') ?? null,
    last_seq: num(data, 'last_seq') ?? 0,
    pending_steer: str(data, 'pending_steer') ?? null,
  };
}

function chosenIn(data: JsonObject | undefined): Pick<SessionRecord, 'chosen'> {
  const chosen = obj(data, 'chosen');
  const access = ACCESS_MODES.find((one) => one === chosen?.['access']);
  if (access === undefined) return {};
  const effort = EFFORTS.find((one) => one === chosen?.['effort']) ?? null;
  return { chosen: { access, model: str(chosen, 'model') ?? null, effort } };
}

/** @returns null when it is no session */
export function asSession(json: string): SessionRecord | null {
  const data = parseObject(json);
  const id = str(data, 'session_id');
  if (id === undefined) return null;
  return {
    session_id: id,
    native_id: str(data, 'native_id') ?? null,
    runtime: str(data, 'runtime') ?? '',
    cwd: str(data, 'cwd') ?? '',
    title: str(data, 'title') ?? '',
    parent: str(data, 'parent') ?? null,
    ...chosenIn(data),
    ...(data?.['deleted'] === true ? { deleted: true } : {}),
    created_at: num(data, 'created_at') ?? 0,
    updated_at: num(data, 'updated_at') ?? 0,
  };
}
