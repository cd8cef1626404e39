/** `POST /v1/responses`: the answer, whole, as a stream, or later. */

import type { JsonObject } from '../../contract/vocabulary.js';
import { isObject } from '../../text/json.js';
import { eventStream } from '../listen/event-stream.js';
import type { Exchange } from '../listen/surface.js';
import { asApiError } from './as-error.js';
import type { Api, Begun } from './begin.js';
import { idOf } from './call-id.js';
import { invalid, ofTurn } from './failure.js';
import { followConversation, followResponse } from './follows.js';
import { header } from './header.js';
import { cutOff, opened } from './opening.js';
import type { Piece } from './pieces.js';
import { answerOf, callerOf } from './requests.js';
import { keep, RESPONSE } from './response-notes.js';
import { type ResponseEvent, type ResponseHead, responseWriter } from './response-shape.js';
import { findItem } from './response-store.js';
import { type ResponseRequest, readResponse } from './responses-request.js';
import { piecesOf } from './steps.js';

/** Codex says who it is in a header of its own. */
const isCodex = (exchange: Exchange): boolean => header(exchange, 'originator')?.startsWith('codex') === true;

function headOf({ turn, step }: Begun, { ask, echo }: ResponseRequest, strict: boolean): ResponseHead {
  const { run_id, created_at, runtime } = turn.run;
  const id = idOf(RESPONSE, { run: run_id, part: step.after }) ?? `${RESPONSE}_${run_id}_${step.after}`;
  return { id, created: Math.floor(created_at / 1000), model: ask.model.asked, run: run_id, runtime, echo, strict };
}

async function whole(pieces: AsyncIterable<Piece>, head: ResponseHead): Promise<Response> {
  const writer = responseWriter(head);
  for await (const piece of pieces) {
    writer.piece(piece);
    if (piece.kind !== 'end') continue;
    if (piece.end.kind === 'failed') throw ofTurn(piece.end.error, piece.end.idle);
    return Response.json(writer.response);
  }
  throw cutOff();
}

function streamed(exchange: Exchange, pieces: AsyncIterable<Piece>, head: ResponseHead): Response {
  return eventStream(exchange, async (stream) => {
    const writer = responseWriter(head);
    let over = false;
    const send = (events: readonly ResponseEvent[]) => {
      for (const one of events) {
        stream.send({ event: one.type, data: JSON.stringify(one) });
      }
    };
    try {
      send(writer.begin());
      for await (const piece of pieces) {
        if (piece.kind === 'end') over = true;
        send(writer.piece(piece));
        await stream.ready();
      }
      if (!over) send(writer.fail(cutOff()));
    } catch (error) {
      send(writer.fail(asApiError(error)));
    }
  });
}

const inputOf = ({ input }: JsonObject) => (Array.isArray(input) ? input : [{ role: 'user', content: input ?? '' }]);

export async function respond(exchange: Exchange, api: Api): Promise<Response> {
  const { core, rules } = api;
  const body = exchange.json();
  if (!isObject(body)) throw invalid('body', 'expected a JSON object', 'invalid_type');
  const caller = callerOf(exchange);
  const activity = header(exchange, 'x-turnout-activity');
  const request = await readResponse(body, { rules, activity, find: (id) => findItem(core, caller, id) });
  const { ask, previous, conversation, store, background, stream } = request;
  const follows = () => {
    if (previous !== undefined) return followResponse(core, caller, previous);
    return conversation === undefined ? Promise.resolve(null) : followConversation(core, caller, conversation);
  };
  return answerOf(exchange, api, { ask, body, path: '/v1/responses', follows }, async (begun) => {
    const head = headOf(begun, request, isCodex(exchange));
    const { turn, step } = begun;
    if (store) {
      const kept = { run: turn.run, id: head.id, model: head.model, whole: ask.schema !== null, echo: head.echo };
      await keep(core, { ...kept, input: inputOf(body), after: step.after });
    }
    if (background && !stream) return Response.json({ ...responseWriter(head).response, status: 'queued' });
    const how = { whole: ask.schema !== null, signal: exchange.signal };
    const pieces = piecesOf(core, turn.caller, step, how);
    return stream ? streamed(exchange, await opened(pieces), head) : whole(pieces, head);
  });
}
