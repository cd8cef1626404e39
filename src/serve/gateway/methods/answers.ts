/** Answers to questions by methods: for clients that know no requests of ours, and for those that never got the frame. */

import type { Json, JsonObject } from '../../../contract/vocabulary.js';
import { partEvent, partsOf } from '../clarify.js';
import { needSession } from '../find.js';
import { lock } from '../locks.js';
import { type Asking, type Methods, method } from '../method.js';
import { any, flag, text } from '../params.js';
import { answer, type Open, openQuestions, REQUESTS } from '../questions.js';
import { CODE, RpcError } from '../rpc.js';

/** By id, whatever session the client thinks it belongs to; without one, the oldest of the session. */
async function wanted(asking: Asking, values: { session_id?: string; request_id?: string }): Promise<Open[]> {
  const { gateway, caller } = asking;
  const all = await openQuestions(gateway.core, caller);
  const { request_id, session_id } = values;
  if (request_id !== undefined) {
    const found = all.filter((one) => one.request_id === request_id || one.id === request_id);
    if (found.length > 0) return found;
    // A stale id of a session that is there is answered late; nothing at all resolves for one that is not.
    if (session_id === undefined) return [];
  }
  const { session_id: id } = await needSession(asking, session_id);
  return request_id === undefined ? all.filter((one) => one.session_id === id) : [];
}

async function clarify({ gateway, caller }: Asking, id: string | undefined): Promise<Open | undefined> {
  const all = await openQuestions(gateway.core, caller);
  return all.find(({ method: kind, request_id }) => kind === 'clarify' && request_id === id);
}

const settle = (asking: Asking, open: Open, result: Json): Promise<boolean> =>
  asking.questions.settle(open, () => answer(asking.gateway.core, asking.caller, open, result));

export const ANSWERS: Methods = {
  'approval.respond': method(
    { session_id: text, request_id: text, choice: any, all: flag, profile: text },
    async (asking, values) => {
      const { choice = 'deny', all = false } = values;
      const open = (await wanted(asking, values)).filter(({ method: kind }) => kind === 'approval');
      let resolved = 0;
      for (const one of all ? open : open.slice(0, 1)) if (await settle(asking, one, { choice })) resolved += 1;
      return { resolved };
    },
  ),
  'approval.pending': method({ session_id: text, profile: text }, async (asking, { session_id }) => {
    const record = await needSession(asking, session_id);
    const open = await openQuestions(asking.gateway.core, asking.caller, record.session_id);
    const approvals = open.filter(({ method: kind }) => kind === 'approval').map(({ params }) => params);
    return { requests: approvals, count: approvals.length };
  }),
  // A client says that it shows the question; nothing depends on it here, since none is given up for want of one.
  'approval.received': method({ session_id: text, request_id: text, profile: text }, async (asking, values) => {
    await needSession(asking, values.session_id);
    return { status: 'ok' };
  }),
  'request.answer': method(
    { id: text, result: any, error: any },
    async (asking, { id, result }): Promise<JsonObject> => {
      if (id === undefined) throw new RpcError(CODE.badParam, 'invalid params for request.answer: id: required');
      const all = await openQuestions(asking.gateway.core, asking.caller);
      const open = all.find((one) => one.id === id);
      if (!open) return { status: 'expired' };
      return { status: (await settle(asking, open, result ?? {})) ? 'ok' : 'expired' };
    },
  ),
  'clarify.lock': method(
    { request_id: text, question_id: text, answer: any, session_id: text, profile: text },
    async (asking, { request_id, question_id = '', answer: given = null }): Promise<JsonObject> => {
      const open = await clarify(asking, request_id);
      return open ? { ...(await lock(asking, open, question_id, given)) } : { status: 'expired' };
    },
  ),
  // One answer for clients that know one question at a time.
  'clarify.respond': method(
    { request_id: text, answer: any, session_id: text, profile: text },
    async (asking, { request_id, answer: given = null }): Promise<JsonObject> => {
      const open = await clarify(asking, request_id);
      if (open?.asked.type !== 'question') throw new RpcError(CODE.busy, 'no pending answer request');
      const parts = partsOf(open.asked);
      const known = asking.gateway.locks.get(open.id) ?? {};
      const part = parts.find(({ id }) => !Object.hasOwn(known, id)) ?? parts[0];
      const { status, remaining } = await lock(asking, open, part?.id ?? '', given);
      if (status === 'expired') throw new RpcError(CODE.busy, 'no pending answer request');
      const next = parts.find(({ id }) => id === remaining[0]);
      if (next) {
        const payload = { request_id: open.request_id, ...partEvent(next) };
        asking.afterwards(() => asking.tell({ type: 'clarify.request', session_id: open.session_id, payload }));
      }
      return { status: 'ok' };
    },
  ),
  'client.capabilities': method({ server_requests: flag, declines_not_shown: flag }, (asking, values) => {
    asking.questions.advertise({ requests: values.server_requests, declines: values.declines_not_shown });
    return { server_requests: [...REQUESTS].sort(), declines_not_shown: true };
  }),
};
