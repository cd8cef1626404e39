/** Ops that reach into a run: cancel, steer, approve, answer, tool_result, events. */

import { CHOICES } from '../../contract/vocabulary.js';
import { fieldFault, flag, needText, text, whole, word } from '../../request/fields.js';
import { RequestError } from '../../runs/request-error.js';
import { readAnswers } from '../../text/answers.js';
import type { Op, OpContext } from './op.js';
import { passOn } from './stream-run.js';

/** The run that is meant: by its id, by the id of the request that began it, else the last one of this connection. */
async function target({ fields, memory }: OpContext): Promise<string> {
  const named = text(fields, 'run_id');
  if (named !== undefined) return named;
  // A turn that was asked for just before is one that can be meant.
  await memory.accepted;
  const request = fields['target'];
  if (request !== undefined && request !== null) {
    const found =
      typeof request === 'string' || typeof request === 'number' ? memory.byRequest.get(request) : undefined;
    if (found === undefined)
      throw new RequestError(
        `target: no request ${JSON.stringify(request)} of this connection began a run`,
        1,
        'not-found',
      );
    return found;
  }
  if (memory.run === null) throw fieldFault('run_id', 'missing', 'expected the id of a run');
  return memory.run;
}

export const events: Op = async (context) => {
  const { core, fields, reply, caller } = context;
  const id = await target(context);
  const after = whole(fields, 'since', 0) ?? 0;
  const last = await passOn(context, id, { after, follow: flag(fields, 'follow') });
  const { status } = (await core.runs.get(id, caller)).run;
  reply.result('events', true, { run_id: id, status, next: last });
  return 0;
};

export const cancel: Op = async (context) => {
  const { core, reply, caller } = context;
  const id = await target(context);
  const { did } = await core.runs.send(id, { type: 'cancel' }, caller);
  const { status } = (await core.runs.get(id, caller)).run;
  reply.result('cancel', true, { run_id: id, status, cancelled: did });
  return 0;
};

export const steer: Op = async (context) => {
  const { core, fields, reply, caller } = context;
  const id = await target(context);
  const command = { type: 'steer', text: needText(fields, 'text') } as const;
  const { id: steer_id } = await core.runs.send(id, command, caller);
  reply.result('steer', true, { run_id: id, steer_id, accepted: true });
  return 0;
};

export const approve: Op = async (context) => {
  const { core, fields, reply, caller } = context;
  const id = await target(context);
  const choice = word(fields, 'choice', CHOICES);
  if (choice === undefined) throw fieldFault('choice', 'missing', `expected one of ${CHOICES.join(', ')}`);
  const [request, message] = [text(fields, 'request_id'), text(fields, 'message')];
  const which = { ...(request === undefined ? {} : { request }), ...(message === undefined ? {} : { message }) };
  const answered = await core.runs.send(id, { type: 'approve', choice, ...which }, caller);
  const { status } = (await core.runs.get(id, caller)).run;
  reply.result('approve', true, { run_id: id, request_id: answered.id, choice, status });
  return 0;
};

export const answer: Op = async (context) => {
  const { core, fields, reply, caller } = context;
  const id = await target(context);
  const answers = readAnswers(fields['answers']);
  if (typeof answers === 'string') throw fieldFault('answers', 'type', answers);
  const question = text(fields, 'question_id');
  const which = question === undefined ? {} : { question };
  const answered = await core.runs.send(id, { type: 'answer', answers, ...which }, caller);
  const { status } = (await core.runs.get(id, caller)).run;
  reply.result('answer', true, { run_id: id, question_id: answered.id, status });
  return 0;
};

export const toolResult: Op = async (context) => {
  const { core, fields, reply, caller } = context;
  const id = await target(context);
  const call = needText(fields, 'call_id');
  if (!('result' in fields)) throw fieldFault('result', 'missing', 'expected the answer of the tool');
  const ok = fields['ok'] === undefined || fields['ok'] === null ? true : flag(fields, 'ok');
  await core.runs.send(id, { type: 'tool_result', call, ok, result: fields['result'] ?? null }, caller);
  reply.result('tool_result', true, { run_id: id, call_id: call });
  return 0;
};
