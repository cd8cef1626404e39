/** One turn of a session: `POST /api/sessions/ID/chat`, whole, and `…/chat/stream`. */

import type { JsonObject } from '../../../contract/vocabulary.js';
import type { RunRecord } from '../../../runs/records.js';
import { eventStream } from '../../listen/event-stream.js';
import type { Exchange } from '../../listen/surface.js';
import { asApiError } from '../as-error.js';
import { type ApiError, errorBody, ofRun } from '../failure.js';
import { callerOf } from '../requests.js';
import { type RunEvent, runEvents } from '../runs/events.js';
import { type Accepted, accept, type StartOptions } from '../runs/start.js';
import { outcome, seconds, shownStatus, usageShown } from '../runs/status.js';
import { shownName } from '../session-names.js';
import { bodyOf, needSession, type SessionsContext } from './resources.js';

interface Asked extends Accepted {
  message: JsonObject['message'] | null;
}

/** The turn ends when whoever asked leaves before it is over. */
async function ask(exchange: Exchange, context: SessionsContext, options: StartOptions): Promise<Asked> {
  const session = await needSession(exchange, context);
  const given = bodyOf(exchange);
  const message = given['message'] ?? given['input'] ?? null;
  const instructions = given['system_message'] ?? given['instructions'] ?? null;
  const input = typeof message === 'string' ? message : [{ role: 'user', content: message }];
  const { message: _m, input: _i, system_message: _s, session_id: _id, ...rest } = given;
  const body = { ...rest, input, instructions, session_id: shownName(session) };
  const accepted = await accept(exchange, context.api, { ...options, body, attended: true });
  void exchange.over.then(() => accepted.attendance?.leave());
  return { ...accepted, message };
}

/** @throws ApiError for a run that failed */
function answered(run: RunRecord): string {
  if (run.error !== null) throw ofRun(run.error);
  return run.text ?? '';
}

export async function sessionChat(
  exchange: Exchange,
  context: SessionsContext,
  options: StartOptions,
): Promise<Response> {
  const { run, session, headers } = await ask(exchange, context, options);
  const ended = await context.api.core.runs.ended(run.run_id, callerOf(exchange), exchange.signal);
  const body = {
    object: `${context.names.prefix}.session.chat.completion`,
    session_id: session,
    message: { role: 'assistant', content: answered(ended) },
    usage: usageShown(ended),
  };
  return Response.json(body, { headers });
}

/** Events of a run in the words of this stream; null for what it has no word for. */
function worded({ event, ...fields }: RunEvent, message_id: string): { name: string; fields: JsonObject } {
  switch (event) {
    case 'message.delta':
      return { name: 'assistant.delta', fields: { message_id, ...fields } };
    case 'reasoning.available':
      return { name: 'tool.progress', fields: { message_id, tool_name: '_thinking', delta: fields['text'] ?? '' } };
    case 'tool.started':
    case 'tool.completed': {
      const { tool, error, ...more } = fields;
      const name = error === true ? 'tool.failed' : event;
      return { name, fields: { message_id, tool_name: tool ?? null, preview: null, args: null, ...more } };
    }
    default:
      return { name: event, fields };
  }
}

export async function sessionStream(
  exchange: Exchange,
  context: SessionsContext,
  options: StartOptions,
): Promise<Response> {
  const { core } = context.api;
  const caller = callerOf(exchange);
  const { run, session, message, headers } = await ask(exchange, context, options);
  const { run_id } = run;
  const message_id = `msg_${run_id.replace(/^run_/, '')}`;
  const produce: Parameters<typeof eventStream>[1] = async (stream) => {
    let seq = 0;
    const send = (event: string, fields: JsonObject) => {
      seq += 1;
      const data = JSON.stringify({ ...fields, session_id: session, run_id, seq, ts: seconds(Date.now()) });
      stream.send({ event, data });
    };
    const fail = (error: ApiError) => send('error', { ...errorBody(error) });
    const write = runEvents(run);
    try {
      send('run.started', { user_message: { role: 'user', content: message ?? null } });
      send('message.started', { message: { id: message_id, role: 'assistant' } });
      for await (const one of core.log.follow(
        run_id,
        { after: 0, follow: true, signal: exchange.signal, holds: true },
        caller,
      )) {
        if ('gap' in one) continue;
        for (const shown of write.hear(one.entry.event)) {
          const { name, fields } = worded(shown, message_id);
          send(name, fields);
        }
        await stream.ready();
      }
      if (exchange.signal.aborted) return;
      const ended = await core.runs.ended(run_id, caller);
      const how = outcome(ended);
      const { completed = false, partial = false, interrupted = false } = how;
      const content = ended.text ?? '';
      send('assistant.completed', { message_id, content, completed, partial, interrupted });
      send(`run.${shownStatus(ended)}`, { message_id, ...how, usage: how['usage'] ?? null });
    } catch (error) {
      fail(asApiError(error));
    }
    send('done', {});
  };
  return eventStream(exchange, produce, { headers });
}
