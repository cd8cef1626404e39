/** `POST /v1/messages`: the answer, whole or as a stream. */

import { isObject } from '../../../text/json.js';
import { eventStream } from '../../listen/event-stream.js';
import type { Exchange } from '../../listen/surface.js';
import { asApiError } from '../as-error.js';
import type { Api, Begun } from '../begin.js';
import { idOf } from '../call-id.js';
import { invalid, ofTurn } from '../failure.js';
import { header } from '../header.js';
import { cutOff, opened } from '../opening.js';
import type { Piece } from '../pieces.js';
import { answerOf } from '../requests.js';
import type { Said } from '../said.js';
import { piecesOf } from '../steps.js';
import { errorShown } from './failure.js';
import { type MessagesRequest, readRequest } from './request.js';
import { type MessageEvent, type MessageHead, messageWriter } from './shape.js';
import { counted, estimateAsk } from './tokens.js';

function requestOf(
  exchange: Exchange,
  { rules }: Api,
): { request: MessagesRequest; body: ReturnType<typeof exchange.json> } {
  const body = exchange.json();
  if (!isObject(body)) throw invalid('body', 'expected a JSON object', 'invalid_type');
  return { request: readRequest(body, rules, header(exchange, 'x-turnout-activity')), body };
}

function headOf({ turn, step }: Begun, { ask, thinking }: MessagesRequest): MessageHead {
  const { run_id } = turn.run;
  return {
    id: idOf('msg', { run: run_id, part: step.after }) ?? `msg_${run_id}_${step.after}`,
    model: ask.model.asked,
    run: run_id,
    input: estimateAsk(ask),
    thinking,
    activity: ask.own.activity,
  };
}

const assistant = (text: string): Said => ({ role: 'assistant', text, images: [], calls: [], callId: null });

/** Keeps in mind what was said, as the client will send it back. */
function remembering(begun: Begun): (piece: Piece) => void {
  let said = '';
  return (piece) => {
    if (piece.kind === 'text') said += piece.text;
    if (piece.kind === 'end' && piece.end.kind === 'stopped') begun.remember(assistant(said));
  };
}

async function whole(pieces: AsyncIterable<Piece>, begun: Begun, request: MessagesRequest): Promise<Response> {
  const writer = messageWriter(headOf(begun, request));
  const remember = remembering(begun);
  for await (const piece of pieces) {
    writer.piece(piece);
    remember(piece);
    if (piece.kind !== 'end') continue;
    if (piece.end.kind === 'failed') throw ofTurn(piece.end.error, piece.end.idle);
    return Response.json(writer.message);
  }
  throw cutOff();
}

function streamed(exchange: Exchange, pieces: AsyncIterable<Piece>, begun: Begun, request: MessagesRequest): Response {
  return eventStream(exchange, async (stream) => {
    const writer = messageWriter(headOf(begun, request));
    const remember = remembering(begun);
    const send = (events: readonly MessageEvent[]) => {
      for (const one of events) stream.send({ event: one.type, data: JSON.stringify(one) });
    };
    const fail = (error: unknown) =>
      stream.send({ event: 'error', data: JSON.stringify(errorShown(asApiError(error))) });
    let over = false;
    try {
      send(writer.begin());
      for await (const piece of pieces) {
        send(writer.piece(piece));
        remember(piece);
        if (piece.kind === 'end') over = true;
        if (piece.kind === 'end' && piece.end.kind === 'failed') fail(ofTurn(piece.end.error, false));
        await stream.ready();
      }
      if (!over) fail(cutOff());
    } catch (error) {
      fail(error);
    }
  });
}

/** @throws ApiError @throws {CoreError} @throws UsageError */
export async function answerMessage(exchange: Exchange, api: Api): Promise<Response> {
  const { request, body } = requestOf(exchange, api);
  const incoming = { ask: request.ask, body: isObject(body) ? body : {}, path: '/v1/messages' };
  return answerOf(exchange, api, incoming, async (begun) => {
    const how = { whole: request.ask.schema !== null, signal: exchange.signal };
    const pieces = piecesOf(api.core, begun.turn.caller, begun.step, how);
    return request.stream ? streamed(exchange, await opened(pieces), begun, request) : whole(pieces, begun, request);
  });
}

/** `POST /v1/messages/count_tokens`. Starts nothing. */
export const countTokens = (exchange: Exchange, api: Api): Response =>
  Response.json(counted(requestOf(exchange, api).request.ask));
