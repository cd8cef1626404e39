/**
 * Questions of an agent to a person. Each has an id that follows from its run, so that it is the same for every client and
 * any of them can answer it by any road: the response to a request, a method, or the answer of a client that never saw it.
 */

import { createHash } from 'node:crypto';
import type { PermissionRequestEvent } from '../../contract/event.js';
import type { Choice, Json, JsonObject } from '../../contract/vocabulary.js';
import type { Core } from '../../runs/core.js';
import { CoreError } from '../../runs/failure.js';
import type { Caller } from '../../runs/ports.js';
import { isOver, type RunRecord } from '../../runs/records.js';
import { str } from '../../text/json.js';
import { toolLabel } from '../../view/tool-label.js';
import { CODE, RpcError } from './rpc.js';

/** The requests that clients may be sent. */
export const REQUESTS = ['approval'] as const;

/** A question that waits for its answer. */
export interface Open {
  /** Of the request. */
  id: string;
  request_id: string;
  session_id: string;
  run_id: string;
  /** In the run. */
  question: string;
  method: (typeof REQUESTS)[number];
  params: JsonObject;
  /** As an event, for clients that know no requests of ours. */
  event: { type: string; payload: JsonObject };
}

const WORDS: Readonly<Record<Choice, string>> = { allow_once: 'once', allow_session: 'session', deny: 'deny' };

const digest = (run: string, question: string): string =>
  createHash('sha256').update(`${run}\n${question}`).digest('hex').slice(0, 12);

export function openQuestion(run: RunRecord, event: PermissionRequestEvent): Open {
  const request_id = digest(run.run_id, event.id);
  const command = event.kind === 'shell' ? str(event.input ?? {}, 'command') : undefined;
  const label = toolLabel(event, run.cwd);
  const choices = event.choices.map((choice) => WORDS[choice]);
  const about: JsonObject = {
    command: command ?? label,
    description: label,
    choices,
    // What is allowed here never outlives the turn.
    allow_permanent: false,
    allow_session: choices.includes('session'),
    tool_name: event.name,
    tool_kind: event.kind,
    input: event.input,
    ...(event.tool_use_id === undefined ? {} : { tool_id: event.tool_use_id }),
    turn_id: run.run_id,
  };
  const { session_id, run_id } = run;
  return {
    id: `srq-${request_id}`,
    request_id,
    session_id,
    run_id,
    question: event.id,
    method: 'approval',
    params: { session_id, request_id, ...about },
    event: {
      type: 'approval.request',
      payload: { request_id, pattern_key: event.name, pattern_keys: [event.name], ...about },
    },
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
    return isOver(view.run.status) ? [] : view.questions.map((event) => openQuestion(view.run, event));
  } catch (error) {
    // Its session was forgotten.
    if (error instanceof CoreError && error.reason === 'not-found') return [];
    throw error;
  }
}

/** The choice that a word of a client stands for. @throws {RpcError} it was not offered */
function chosen(open: Open, word: Json | undefined): Choice {
  const { choices } = open.params;
  const offered = Array.isArray(choices) ? choices : [];
  const found = (['allow_once', 'allow_session', 'deny'] as const).find((choice) => WORDS[choice] === word);
  if (found !== undefined && offered.includes(WORDS[found])) return found;
  throw new RpcError(CODE.badParam, `choice: expected ${offered.join(', ')}; the question stays open`);
}

/**
 * Answers a question.
 * @param result as in a response to its request
 * @returns false when it was settled before
 * @throws {RpcError} the answer was not offered: the question stays open
 */
export async function answer(core: Core, caller: Caller, open: Open, result: Json | undefined): Promise<boolean> {
  const given = typeof result === 'object' && result !== null && !Array.isArray(result) ? result : {};
  return send(core, caller, open, chosen(open, given['choice']));
}

/** The question is of no use to anybody: a client can't show it. @returns false when it was settled before */
export function withdraw(core: Core, caller: Caller, open: Open, why: string): Promise<boolean> {
  return send(core, caller, open, 'deny', `The question could not be asked: ${why}`);
}

async function send(core: Core, caller: Caller, open: Open, choice: Choice, message?: string): Promise<boolean> {
  const words = message === undefined ? {} : { message };
  try {
    await core.runs.send(open.run_id, { type: 'approve', choice, request: open.question, ...words }, caller);
    return true;
  } catch (error) {
    if (error instanceof CoreError && ['not-pending', 'not-active', 'not-found'].includes(error.reason)) return false;
    throw error;
  }
}
