/** Ops that tell what is kept: runs, run, sessions, session, find. */

import { duration, fieldFault, needText, text, whole, word } from '../../request/fields.js';
import { RUN_STATUSES } from '../../runs/records.js';
import { RequestError } from '../../runs/request-error.js';
import { parseObject } from '../../text/json.js';
import { brief, whole as shownRun, session as shownSession } from './describe.js';
import type { Op } from './op.js';

const LIMIT = 50;

export const runs: Op = async ({ core, fields, given, reply, caller }) => {
  const since = duration(fields, 'since');
  const filter = {
    limit: whole(fields, 'limit', 1) ?? LIMIT,
    ...(text(fields, 'session') === undefined ? {} : { session: text(fields, 'session') }),
    ...(word(fields, 'status', RUN_STATUSES) === undefined ? {} : { status: word(fields, 'status', RUN_STATUSES) }),
    ...(since === undefined ? {} : { since: given.now() - since }),
  };
  const found = await core.runs.list(filter, caller);
  reply.result('runs', true, { runs: found.map(brief) });
  return 0;
};

export const run: Op = async ({ core, fields, memory, reply, caller }) => {
  await memory.accepted;
  const id = text(fields, 'run_id') ?? memory.run;
  if (id === null) throw fieldFault('run_id', 'missing', 'expected the id of a run');
  const { run: record, questions, asked, calls } = await core.runs.get(id, caller);
  reply.result('run', true, {
    run: shownRun(record),
    questions: questions.map((one) => ({ ...one })),
    asked: asked.map((one) => parseObject(JSON.stringify(one)) ?? {}),
    calls: calls.map((one) => ({ ...one })),
  });
  return 0;
};

export const sessions: Op = async ({ core, fields, given, reply, caller }) => {
  const since = duration(fields, 'since');
  const cwd = text(fields, 'cwd');
  const filter = {
    limit: whole(fields, 'limit', 1) ?? LIMIT,
    ...(cwd === undefined ? {} : { cwd }),
    ...(since === undefined ? {} : { since: given.now() - since }),
  };
  const found = await core.sessions.list(filter, caller);
  reply.result('sessions', true, { sessions: found.map(shownSession) });
  return 0;
};

export const session: Op = async ({ core, fields, memory, reply, caller }) => {
  const named = text(fields, 'session') ?? text(fields, 'session_id') ?? 'last';
  await memory.accepted;
  const id = named === 'last' ? memory.session : named;
  if (id === null) throw fieldFault('session', 'missing', 'expected the id of a session');
  const found = await core.sessions.get(id, caller);
  if (!found) throw new RequestError(`there is no session ${id}`, 1, 'not-found');
  const messages = (await core.sessions.transcript(id, caller)).map((one) => ({ ...one }));
  reply.result('session', true, { session: shownSession(found), messages });
  return 0;
};

export const find: Op = async ({ core, fields, reply, caller }) => {
  const hits = await core.sessions.find(needText(fields, 'query'), whole(fields, 'top', 1) ?? 10, caller);
  reply.result('find', true, { hits: hits.map((one) => ({ file: one.session_id, ...one })) });
  return 0;
};
