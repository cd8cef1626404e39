/** Responses that were stored: as they are now, again as a stream, cancelled, deleted. */

import type { ToolCallEvent } from '../../contract/event.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import type { Core } from '../../runs/core.js';
import type { Caller } from '../../runs/ports.js';
import { isOver } from '../../runs/records.js';
import { isObject } from '../../text/json.js';
import { asCall } from './asked-calls.js';
import { ApiError } from './failure.js';
import { translator } from './pieces.js';
import { forget, type Kept, kept } from './response-notes.js';
import { type ResponseHead, responseWriter } from './response-shape.js';

const headOf = ({ run, id, model, echo }: Kept): ResponseHead => ({
  id,
  created: Math.floor(run.created_at / 1000),
  model,
  run: run.run_id,
  runtime: run.runtime,
  echo,
  strict: false,
});

/** What a response is now, from the log of its run. */
async function now(core: Core, caller: Caller, one: Kept): Promise<JsonObject> {
  const { run, after, last, whole } = one;
  const writer = responseWriter(headOf(one));
  const translate = translator(whole);
  const calls = new Map<string, ToolCallEvent>();
  let over = false;
  writer.begin();
  for await (const read of core.log.follow(run.run_id, { after, follow: false }, caller)) {
    if ('gap' in read) continue;
    if (last !== null && read.entry.seq > last) break;
    const { event } = read.entry;
    const call = asCall(event);
    if (call) calls.set(call.id, call);
    if (event.type === 'tool_result') calls.delete(event.id);
    if (event.type === 'status' && event.question) calls.delete(event.question.id);
    if (event.type === 'done') over = true;
    for (const piece of translate.hear(event)) writer.piece(piece);
  }
  if (!over && calls.size > 0) writer.piece(translate.waits([...calls.values()]));
  const { response } = writer;
  return run.status === 'queued' && !over ? { ...response, status: 'queued' } : response;
}

export async function getResponse(core: Core, caller: Caller, id: string): Promise<JsonObject> {
  return now(core, caller, await kept(core, caller, id));
}

/** Ends the turn and waits until nothing of it is left. */
export async function cancelResponse(core: Core, caller: Caller, id: string): Promise<JsonObject> {
  const { run } = await kept(core, caller, id);
  if (!isOver(run.status)) {
    await core.runs.send(run.run_id, { type: 'cancel', cause: 'user' }, caller);
    await core.runs.ended(run.run_id, caller);
  }
  return getResponse(core, caller, id);
}

/** Its session is kept: other responses may stand on it. */
export async function deleteResponse(core: Core, caller: Caller, id: string): Promise<JsonObject> {
  await forget(core, await kept(core, caller, id));
  return { id, object: 'response', deleted: true };
}

export async function inputItems(core: Core, caller: Caller, id: string): Promise<JsonObject> {
  const { input } = await kept(core, caller, id);
  const data = input.map((item, index) => ({
    id: `in_${id.replace(/^resp_/, '')}_${index}`,
    type: 'message',
    ...(isObject(item) ? item : {}),
  }));
  return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: false };
}

/** An item of the output of a stored response: its id is that of the response with a number behind it. */
export async function findItem(core: Core, caller: Caller, id: string): Promise<JsonObject | null> {
  const found = /^(?:msg|rs|fc|mcp)_([0-9A-Za-z]{22}_\d+)_\d+$/.exec(id);
  if (!found) return null;
  try {
    const { output } = await getResponse(core, caller, `resp_${found[1]}`);
    const item = Array.isArray(output) ? output.find((one) => isObject(one) && one['id'] === id) : undefined;
    return isObject(item) ? item : null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
