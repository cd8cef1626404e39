/** `POST /v1/runs`: the request. */

import type { JsonObject } from '../../../contract/vocabulary.js';
import type { Ask } from '../ask.js';
import { effortOf } from '../chat-request.js';
import { invalid } from '../failure.js';
import { type ModelRules, readModel } from '../model-name.js';
import { ownOptions } from '../own-options.js';
import { list, metadata, object, text } from '../reading.js';
import { allItems, type FindItem, readItems } from '../response-items.js';
import { type Said, tailOf } from '../said.js';
import { spelling } from '../spelling.js';

export interface RunRequest {
  ask: Ask;
  /** The session that it belongs to: an id of ours, or a name of the caller's. */
  session: string | undefined;
  /** The response that it follows. */
  previous: string | undefined;
  /** What was said before, when the caller tells it; null: what the session knows. */
  history: readonly Said[] | null;
}

const SPELLING = spelling({
  keys: { effort: 'model_options.reasoning_effort', prompt: 'input' },
  tools: (inner) => inner,
  schema: ['turnout', 'output_schema'],
});

/** `provider` and `model` as `/api/model/options` lists them, or `model` alone. */
function modelOf(body: JsonObject, usual: string): string {
  const model = text(body, 'model') ?? '';
  const provider = text(body, 'provider') ?? '';
  if (provider === '') return model === '' ? usual : model;
  return model === '' ? provider : `${provider}/${model}`;
}

/** @param usual the model where none is named @throws ApiError 400, 404 @throws UsageError */
export async function readRun(
  body: JsonObject,
  { rules, find, usual }: { rules: ModelRules; find: FindItem; usual(session: string | undefined): Promise<string> },
): Promise<RunRequest> {
  const { system, messages } = await readItems(body['input'], find);
  const told = list(body, 'conversation_history');
  const history = told === undefined ? null : await allItems(told, 'conversation_history', find);
  const instructions = text(body, 'instructions');
  const { before, tail } = tailOf(messages);
  const session = text(body, 'session_id');
  if (session !== undefined && !/^[\w.:-]{1,256}$/.test(session))
    throw invalid('session_id', 'expected an id of a session', 'invalid_session_id');
  const lines = [instructions ?? '', ...(history?.system ?? []), ...system].filter((one) => one !== '');
  const effort = text(object(body, 'model_options') ?? {}, 'reasoning_effort', 'model_options');
  return {
    ask: {
      model: readModel(modelOf(body, await usual(session)), rules),
      system: lines.length === 0 ? null : lines.join('\n\n'),
      messages: tail,
      tools: [],
      parallel: true,
      effort: effortOf(effort, 'model_options.reasoning_effort'),
      maxTurns: null,
      schema: null,
      metadata: metadata(body) ?? {},
      own: ownOptions(body, undefined),
      spelling: SPELLING,
    },
    session,
    previous: text(body, 'previous_response_id'),
    history: history === null && before.length === 0 ? null : [...(history?.messages ?? []), ...before],
  };
}
