/** `POST /v1/chat/completions`: the answer, whole or as a stream. */

import { isObject } from '../../text/json.js';
import { eventStream } from '../listen/event-stream.js';
import type { Exchange } from '../listen/surface.js';
import { asApiError } from './as-error.js';
import type { Api, Begun } from './begin.js';
import { idOf } from './call-id.js';
import { type ChatRequest, readChat } from './chat-request.js';
import { type ChatHead, chunks, completion, type Gathered, gather } from './chat-shape.js';
import { errorBody, invalid, ofTurn } from './failure.js';
import { header } from './header.js';
import { cutOff, opened } from './opening.js';
import type { Piece } from './pieces.js';
import { answerOf } from './requests.js';
import type { Said } from './said.js';
import { piecesOf } from './steps.js';

const assistant = (text: string): Said => ({ role: 'assistant', text, images: [], calls: [], callId: null });

function headOf({ turn, step }: Begun, model: string): ChatHead {
  const { run_id, created_at } = turn.run;
  const id = idOf('chatcmpl', { run: run_id, part: step.after }) ?? `chatcmpl-${run_id}-${step.after}`;
  return { id, created: Math.floor(created_at / 1000), model, run: run_id };
}

async function whole(pieces: AsyncIterable<Piece>, begun: Begun, { ask }: ChatRequest): Promise<Response> {
  const gathered: Gathered = { text: '', reasoning: '' };
  for await (const piece of pieces) {
    gather(gathered, piece, ask.own.activity);
    if (piece.kind !== 'end') continue;
    const { end } = piece;
    if (end.kind === 'failed') throw ofTurn(end.error, end.idle);
    if (end.kind === 'stopped') begun.remember(assistant(gathered.text));
    return Response.json(completion(headOf(begun, ask.model.asked), gathered, end));
  }
  throw cutOff();
}

function streamed(exchange: Exchange, pieces: AsyncIterable<Piece>, begun: Begun, request: ChatRequest): Response {
  const { ask, usage } = request;
  const { activity } = ask.own;
  return eventStream(exchange, async (stream) => {
    const write = chunks(headOf(begun, ask.model.asked), { usage, activity });
    const send = (objects: readonly object[]) => {
      for (const one of objects) stream.send({ data: JSON.stringify(one) });
    };
    const said: Gathered = { text: '', reasoning: '' };
    let over = false;
    try {
      send(write.begin());
      for await (const piece of pieces) {
        gather(said, piece, 'none');
        if (piece.kind !== 'end') {
          send(write.piece(piece));
          await stream.ready();
          continue;
        }
        over = true;
        const { end } = piece;
        if (end.kind === 'failed') send([{ error: errorBody(ofTurn(end.error, false)) }]);
        else send(write.end(end));
        if (end.kind === 'stopped') begun.remember(assistant(said.text));
      }
      if (!over) send([{ error: errorBody(cutOff()) }]);
    } catch (error) {
      send([{ error: errorBody(asApiError(error)) }]);
    }
    stream.send({ data: '[DONE]' });
  });
}

export async function chat(exchange: Exchange, api: Api): Promise<Response> {
  const body = exchange.json();
  if (!isObject(body)) throw invalid('body', 'expected a JSON object', 'invalid_type');
  const request = readChat(body, api.rules, header(exchange, 'x-turnout-activity'));
  return answerOf(exchange, api, { ask: request.ask, body, path: '/v1/chat/completions' }, async (begun) => {
    const pieces = piecesOf(api.core, begun.turn.caller, begun.step, {
      whole: request.ask.schema !== null,
      signal: exchange.signal,
    });
    if (!request.stream) return whole(pieces, begun, request);
    return streamed(exchange, await opened(pieces), begun, request);
  });
}
