/** Ops that reach into a run: cancel, steer, approve, tool_result, events. */

import { CHOICES } from '../../contract/vocabulary.js';
import type { Op, OpContext } from './op.js';
import { flag, needText, OpError, text, whole, word } from './request.js';
import { passOn } from './stream-run.js';

/** The run that is meant: by its id, by the id of the request that began it, else the last one of this connection. */
function target({ fields, memory }: OpContext): string {
  const named = text(fields, 'run_id');
  if (named !== undefined) return named;
  const request = fields['target'];
  if (request !== undefined && request !== null) {
    const found =
      typeof request === 'string' || typeof request === 'number' ? memory.byRequest.get(request) : undefined;
    if (found === undefined)
      throw new OpError(`target: no request ${JSON.stringify(request)} of this connection began a run`, 1, 'not-found');
    return found;
  }
  if (memory.run === null) throw new OpError('run_id is missing');
  return memory.run;
}

export const events: Op = async (context) => {
  const { core, fields, reply } = context;
  const id = target(context);
  const after = whole(fields, 'since', 0) ?? 0;
  const log = core.runs.log(id);
  const last = await passOn(log, { after, follow: flag(fields, 'follow') }, reply, null);
  const { status } = core.runs.record(id);
  reply.result('events', true, { run_id: id, status, next: last });
  return 0;
};

export const cancel: Op = async (context) => {
  const { core, reply } = context;
  const id = target(context);
  const did = core.runs.live(id)?.cancel('user') ?? false;
  reply.result('cancel', true, { run_id: id, status: core.runs.record(id).status, cancelled: did });
  return 0;
};

export const steer: Op = async (context) => {
  const { core, fields, reply } = context;
  const id = target(context);
  const { steer_id } = core.runs.need(id).steer(needText(fields, 'text'));
  reply.result('steer', true, { run_id: id, steer_id, accepted: true });
  return 0;
};

export const approve: Op = async (context) => {
  const { core, fields, reply } = context;
  const id = target(context);
  const choice = word(fields, 'choice', CHOICES);
  if (choice === undefined) throw new OpError(`choice is missing: ${CHOICES.join(', ')}`);
  const answered = core.runs.need(id).approve(choice, text(fields, 'request_id'), text(fields, 'message'));
  reply.result('approve', true, { run_id: id, request_id: answered, choice, status: core.runs.record(id).status });
  return 0;
};

export const toolResult: Op = async (context) => {
  const { core, fields, reply } = context;
  const id = target(context);
  const call = needText(fields, 'call_id');
  if (!('result' in fields)) throw new OpError('result is missing');
  const ok = fields['ok'] === undefined || fields['ok'] === null ? true : flag(fields, 'ok');
  core.runs.need(id).toolResult(call, ok, fields['result'] ?? null);
  reply.result('tool_result', true, { run_id: id, call_id: call });
  return 0;
};
