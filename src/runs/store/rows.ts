/** Rows of the store → records. The file is the person's own, but may be old, cut or edited: what is missing is filled. */

import { OWNER } from '../../contract/principal.js';
import { ACCESS_MODES, CHOICES, EFFORTS, type JsonObject } from '../../contract/vocabulary.js';
import { readAnswers } from '../../text/answers.js';
import { arr, bool, num, obj, parseObject, str } from '../../text/json.js';
import {
  type Belongs,
  type Command,
  END_CAUSES,
  type Receipt,
  RUN_STATUSES,
  type RunRecord,
  type Said,
  type SessionRecord,
} from '../records.js';
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
    ended_by: END_CAUSES.find((one) => one === data['ended_by']) ?? null,
    ...belongs(data),
  };
}

function belongs(data: JsonObject | undefined): Belongs {
  const metadata = Object.entries(obj(data, 'metadata') ?? {}).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  return {
    principal: str(data, 'principal') ?? OWNER.name,
    surface: str(data, 'surface') ?? '',
    metadata: Object.fromEntries(metadata),
  };
}

function chosenIn(data: JsonObject | undefined): Pick<SessionRecord, 'chosen'> {
  const chosen = obj(data, 'chosen');
  const access = ACCESS_MODES.find((one) => one === chosen?.['access']);
  if (access === undefined) return {};
  const effort = EFFORTS.find((one) => one === chosen?.['effort']) ?? null;
  const unasked = chosen?.['unasked'] === true ? { unasked: true as const } : {};
  return { chosen: { access, model: str(chosen, 'model') ?? null, effort, ...unasked } };
}

/** What it began with, and what it goes on without. */
function beginningOf(data: JsonObject | undefined): Pick<SessionRecord, 'opening' | 'dropped'> {
  const opening = (arr(data, 'opening') ?? []).flatMap((one): Said[] => {
    const [role, text] = [str(one, 'role'), str(one, 'text')];
    return text !== undefined && (role === 'user' || role === 'assistant') ? [{ role, text }] : [];
  });
  const dropped = (arr(data, 'dropped') ?? []).filter((one) => typeof one === 'string');
  return { ...(opening.length > 0 ? { opening } : {}), ...(dropped.length > 0 ? { dropped } : {}) };
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
    ...beginningOf(data),
    ...chosenIn(data),
    ...(data?.['deleted'] === true ? { deleted: true } : {}),
    created_at: num(data, 'created_at') ?? 0,
    updated_at: num(data, 'updated_at') ?? 0,
    ...belongs(data),
  };
}

/** @returns null when it is not a command that this version knows */
export function asCommand(json: string): Command | null {
  const data = parseObject(json);
  switch (data?.['type']) {
    case 'cancel': {
      const cause = (['user', 'disconnect', 'shutdown'] as const).find((one) => one === data['cause']);
      return { type: 'cancel', ...(cause === undefined ? {} : { cause }) };
    }
    case 'steer':
      return { type: 'steer', text: str(data, 'text') ?? '' };
    case 'approve': {
      const choice = CHOICES.find((one) => one === data['choice']);
      const [request, message] = [str(data, 'request'), str(data, 'message')];
      if (choice === undefined) return null;
      return {
        type: 'approve',
        choice,
        ...(request === undefined ? {} : { request }),
        ...(message === undefined ? {} : { message }),
      };
    }
    case 'answer': {
      const [answers, question] = [readAnswers(data['answers']), str(data, 'question')];
      if (typeof answers === 'string') return null;
      return { type: 'answer', answers, ...(question === undefined ? {} : { question }) };
    }
    case 'tool_result':
      return {
        type: 'tool_result',
        call: str(data, 'call') ?? '',
        ok: bool(data, 'ok') ?? false,
        result: data['result'] ?? null,
      };
    default:
      return null;
  }
}

/** @returns null when it can't be read */
export function asReceipt(json: string): Receipt | null {
  const data = parseObject(json);
  if (data?.['ok'] === true) return { ok: true, id: str(data, 'id') ?? null, did: bool(data, 'did') ?? false };
  const [reason, message] = [str(data, 'reason'), str(data, 'message')];
  return reason === undefined || message === undefined ? null : { ok: false, reason, message };
}
