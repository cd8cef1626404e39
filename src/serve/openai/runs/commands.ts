/** What may be done to a run that goes on: `approval`, `answer`, `steer`, `stop`. */

import type { JsonObject } from '../../../contract/vocabulary.js';
import { CoreError } from '../../../runs/failure.js';
import { isOver } from '../../../runs/records.js';
import type { RunView } from '../../../runs/view.js';
import { isObject } from '../../../text/json.js';
import type { Exchange } from '../../listen/surface.js';
import type { Api } from '../begin.js';
import { content } from '../content.js';
import { ApiError, invalid } from '../failure.js';
import { unsupported } from '../images.js';
import type { Names } from '../names.js';
import { flag, object, text } from '../reading.js';
import { callerOf } from '../requests.js';
import { choiceOf, wordOf } from './asked.js';
import { statusShown } from './status.js';
import type { Telling } from './told.js';

export interface RunsContext {
  api: Api;
  names: Names;
  telling: Telling;
}

const idOf = ({ params }: Exchange): string => params['id'] ?? '';

/** @throws ApiError 404 run_not_found, also for a run of another principal */
export async function viewOf(exchange: Exchange, { api }: RunsContext): Promise<RunView> {
  const id = idOf(exchange);
  try {
    return await api.core.runs.get(id, callerOf(exchange));
  } catch (error) {
    if (error instanceof CoreError && error.reason === 'not-found')
      throw new ApiError(404, 'run_not_found', `Run not found: ${id}`);
    throw error;
  }
}

function bodyOf(exchange: Exchange): JsonObject {
  const body = exchange.body.trim() === '' ? {} : exchange.json();
  if (!isObject(body)) throw invalid('body', 'expected a JSON object', 'invalid_type');
  return body;
}

const notActive = (id: string) =>
  new ApiError(409, 'approval_not_active', `The run is over, so that it asks nothing: ${id}`);
const notPending = (id: string, what: string) =>
  new ApiError(409, `${what}_not_pending`, `The run asks nothing: ${id}`);

export async function approve(exchange: Exchange, context: RunsContext): Promise<JsonObject> {
  const { api, names, telling } = context;
  const { run, questions } = await viewOf(exchange, context);
  const body = bodyOf(exchange);
  const choice = choiceOf(text(body, 'choice') ?? '');
  if (choice === null)
    throw invalid('choice', 'expected one of once, session, always, deny', 'invalid_approval_choice');
  const named = text(body, 'request_id');
  if (named !== undefined && !/^[\w.:-]{1,256}$/.test(named))
    throw invalid('request_id', 'expected the id of a request', 'invalid_approval_request');
  if (isOver(run.status)) throw notActive(run.run_id);
  const all = flag(body, 'all') ?? flag(body, 'resolve_all') ?? false;
  const open = questions.filter(({ id }) => named === undefined || id === named);
  const chosen = all ? open : open.slice(0, 1);
  if (chosen.length === 0) throw notPending(run.run_id, 'approval');
  for (const { id, choices } of chosen) {
    // What was not offered is not granted: the narrower one is taken.
    const given = choices.includes(choice) ? choice : choice === 'allow_session' ? 'allow_once' : choice;
    const told = { after: run.last_seq, at: Date.now(), event: 'approval.responded' as const };
    await api.core.runs.send(run.run_id, { type: 'approve', choice: given, request: id }, callerOf(exchange));
    await telling.tell(run.run_id, { ...told, fields: { choice: wordOf(given), request_id: id, resolved: 1 } });
  }
  return {
    object: `${names.prefix}.run.approval_response`,
    run_id: run.run_id,
    choice: wordOf(choice),
    ...(named === undefined ? {} : { request_id: named }),
    resolved: chosen.length,
  };
}

/** Answers what the agent asks a person: `{"answers":{"QUESTION":"text"}}`; `{}` declines all. */
export async function answer(exchange: Exchange, context: RunsContext): Promise<JsonObject> {
  const { api, names } = context;
  const { run, asked } = await viewOf(exchange, context);
  const body = bodyOf(exchange);
  const given = object(body, 'answers');
  if (given === undefined) throw invalid('answers', 'is missing', 'missing_value');
  const answers: Record<string, string | string[] | null> = {};
  for (const [question, value] of Object.entries(given)) {
    const several = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
    if (value === null || typeof value === 'string') answers[question] = value;
    else if (Array.isArray(value) && several.length === value.length) answers[question] = several;
    else throw invalid(`answers.${question}`, 'expected a text, a list of texts, or null', 'invalid_type');
  }
  if (isOver(run.status)) throw notActive(run.run_id);
  const named = text(body, 'request_id');
  const [open] = asked.filter(({ id }) => named === undefined || id === named);
  if (open === undefined) throw notPending(run.run_id, 'question');
  await api.core.runs.send(run.run_id, { type: 'answer', answers, question: open.id }, callerOf(exchange));
  return { object: `${names.prefix}.run.answer`, run_id: run.run_id, request_id: open.id };
}

const GUIDANCE = ['input', 'message', 'text'] as const;

export async function steer(exchange: Exchange, context: RunsContext): Promise<JsonObject> {
  const { api, names, telling } = context;
  const { run } = await viewOf(exchange, context);
  const body = bodyOf(exchange);
  const parts = GUIDANCE.map((key) =>
    content(body[key], key, (part, at) => {
      const said = isObject(part) ? part['text'] : part;
      if (typeof said !== 'string') throw unsupported(at, 'expected a text');
      return { text: said, images: [] };
    }),
  );
  const said = parts.map((one) => one.text.trim()).find((one) => one !== '');
  if (said === undefined) throw invalid('input', 'expected a text that is not empty', 'invalid_steer_input');
  const { run_id } = run;
  const refused = (code: string, why: string) => new ApiError(409, code, why);
  if (run.status !== 'running') throw refused('run_not_accepting_steer', `The run is ${run.status}: ${run_id}`);
  try {
    await api.core.runs.send(run_id, { type: 'steer', text: said }, callerOf(exchange));
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    if (error.reason === 'not-active') throw refused('run_not_accepting_steer', error.message);
    if (error.reason === 'unsupported') throw refused('steer_not_accepted', error.message);
    throw error;
  }
  const told = { after: run.last_seq, at: Date.now(), event: 'run.steered' as const };
  await telling.tell(run_id, { ...told, fields: { accepted: true } });
  return { object: `${names.prefix}.run.steer`, run_id, accepted: true };
}

/** Ends a run; one that is over is told as it is. */
export async function stop(exchange: Exchange, context: RunsContext): Promise<JsonObject> {
  const { api, names } = context;
  const view = await viewOf(exchange, context);
  if (isOver(view.run.status)) return statusShown(view, names);
  try {
    await api.core.runs.send(view.run.run_id, { type: 'cancel', cause: 'user' }, callerOf(exchange));
  } catch (error) {
    if (error instanceof CoreError && error.reason === 'not-active')
      return statusShown(await viewOf(exchange, context), names);
    throw error;
  }
  const { run } = await viewOf(exchange, context);
  return { run_id: run.run_id, status: run.status };
}
