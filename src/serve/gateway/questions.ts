/**
 * Questions of an agent to a person. Each has an id that follows from its run, so that it is the same for every client and
 * any of them can answer it by any road: the response to a request, a method, or the answer of a client that never saw it.
 */

import { createHash } from 'node:crypto';
import type { PermissionRequestEvent } from '../../contract/event.js';
import type { QuestionEvent } from '../../contract/question.js';
import type { Json, JsonObject } from '../../contract/vocabulary.js';
import type { Core } from '../../runs/core.js';
import { CoreError } from '../../runs/failure.js';
import type { Caller } from '../../runs/ports.js';
import { type Command, isOver, type RunRecord } from '../../runs/records.js';
import { isObject } from '../../text/json.js';
import { approvalShown, chosen } from './approval.js';
import { answersTo, clarifyShown, partEvent, partsOf } from './clarify.js';

/** The requests that clients may be sent. */
export const REQUESTS = ['approval', 'clarify'] as const;

export type Asked = PermissionRequestEvent | QuestionEvent;

/** A question that waits for its answer. */
export interface Open {
  /** Of the request. */
  id: string;
  request_id: string;
  session_id: string;
  run_id: string;
  asked: Asked;
  method: (typeof REQUESTS)[number];
  params: JsonObject;
  /** As an event, for clients that know no requests of ours. */
  event: { type: string; payload: JsonObject };
}

export function openQuestion(run: RunRecord, asked: Asked): Open {
  const { session_id, run_id } = run;
  const request_id = createHash('sha256').update(`${run_id}\n${asked.id}`).digest('hex').slice(0, 12);
  const names = { id: `srq-${request_id}`, request_id, session_id, run_id, asked };
  const of: JsonObject = { session_id, request_id, turn_id: run_id };
  if (asked.type === 'permission_request') {
    const shown = approvalShown(run, asked);
    const event = { request_id, pattern_key: asked.name, pattern_keys: [asked.name], ...shown };
    return {
      ...names,
      method: 'approval',
      params: { ...of, ...shown },
      event: { type: 'approval.request', payload: event },
    };
  }
  const [first] = partsOf(asked);
  return {
    ...names,
    method: 'clarify',
    params: { ...of, ...clarifyShown(asked) },
    event: { type: 'clarify.request', payload: { request_id, ...(first ? partEvent(first) : {}) } },
  };
}

/** What waits for an answer, oldest first. @param session only of this one */
export async function openQuestions(core: Core, caller: Caller, session?: string): Promise<Open[]> {
  const filter = { limit: 10_000, status: 'waiting_for_approval', ...(session ? { session } : {}) } as const;
  const runs = (await core.runs.list(filter, caller)).reverse();
  const all = await Promise.all(runs.map(({ run_id }) => openIn(core, caller, run_id)));
  return all.flat();
}

/** What waits in one run. */
export async function openIn(core: Core, caller: Caller, run: string): Promise<Open[]> {
  try {
    const view = await core.runs.get(run, caller);
    if (isOver(view.run.status)) return [];
    return [...view.questions, ...view.asked].map((event) => openQuestion(view.run, event));
  } catch (error) {
    // Its session was forgotten.
    if (error instanceof CoreError && error.reason === 'not-found') return [];
    throw error;
  }
}

/** @throws {RpcError} the answer was not offered: the question stays open */
function commandFor({ asked }: Open, result: Json | undefined): Command {
  const given = isObject(result) ? result : {};
  if (asked.type === 'permission_request')
    return { type: 'approve', choice: chosen(asked, given['choice']), request: asked.id };
  // A response without answers declines all.
  return { type: 'answer', question: asked.id, answers: answersTo(asked, given['answers'] ?? {}) };
}

/**
 * Answers a question.
 * @param result as in a response to its request
 * @returns false when it was settled before
 * @throws {RpcError} the answer was not offered: the question stays open
 */
export async function answer(core: Core, caller: Caller, open: Open, result: Json | undefined): Promise<boolean> {
  return send(core, caller, open, commandFor(open, result));
}

/** The question is of no use to anybody: a client can't show it. @returns false when it was settled before */
export function withdraw(core: Core, caller: Caller, open: Open, why: string): Promise<boolean> {
  const { asked } = open;
  const message = `The question could not be asked: ${why}`;
  return send(
    core,
    caller,
    open,
    asked.type === 'permission_request'
      ? { type: 'approve', choice: 'deny', request: asked.id, message }
      : { type: 'answer', question: asked.id, answers: {} },
  );
}

async function send(core: Core, caller: Caller, open: Open, command: Command): Promise<boolean> {
  try {
    await core.runs.send(open.run_id, command, caller);
    return true;
  } catch (error) {
    if (error instanceof CoreError && ['not-pending', 'not-active', 'not-found'].includes(error.reason)) return false;
    throw error;
  }
}
