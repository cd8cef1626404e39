/** Tools that reach into a run by its id: get, events, steer, approve, stop. */

import { type CallToolResult, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import { CHOICES, type JsonObject } from '../../contract/vocabulary.js';
import { needText, text, whole, word } from '../../request/fields.js';
import { entryLine } from '../../runs/entry-line.js';
import { CoreError } from '../../runs/failure.js';
import { isOver } from '../../runs/records.js';
import { RequestError } from '../../runs/request-error.js';
import type { RunView } from '../../runs/view.js';
import { parseObject } from '../../text/json.js';
import type { Call } from './call.js';
import { type Answer, answerIn, permissionForm, readAnswer } from './question.js';
import { answer, runContent } from './results.js';

const MOST_WAIT = 60_000;
const EVENTS = { limit: 100, most: 500, bytes: 256 * 1024 };

/** Waits as long as asked, at most a minute, or until the caller leaves. */
async function pause(fields: JsonObject, call: Call, until: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const ms = Math.min(whole(fields, 'wait_ms', 0) ?? 0, MOST_WAIT);
  if (ms === 0) return;
  await until(AbortSignal.any([call.signal, AbortSignal.timeout(ms)]));
}

export async function agentGet(fields: JsonObject, call: Call): Promise<CallToolResult> {
  const { core, caller } = call.settings;
  const id = needText(fields, 'run_id');
  await pause(fields, call, (signal) => core.runs.ended(id, caller, signal));
  const { run: record, questions: open } = await core.runs.get(id, caller);
  const questions = open.map(({ id: request_id, name, kind, input, choices }) => ({
    request_id,
    name,
    kind,
    input,
    choices: [...choices],
  }));
  return answer({ ...(await runContent(call.settings, record)), pending_steer: record.pending_steer, questions });
}

export async function agentEvents(fields: JsonObject, call: Call): Promise<CallToolResult> {
  const { core, caller } = call.settings;
  const id = needText(fields, 'run_id');
  await core.runs.get(id, caller);
  const after = whole(fields, 'after_seq', 0) ?? 0;
  const limit = Math.min(whole(fields, 'limit', 1) ?? EVENTS.limit, EVENTS.most);
  await pause(fields, call, (signal) => core.log.more(id, after, caller, signal));
  const page = await core.log.page(id, after, { entries: limit, size: EVENTS.bytes }, caller);
  const events = page.entries.map(
    ({ seq, event }): JsonObject => ({ seq, event: parseObject(entryLine(event)) ?? {} }),
  );
  const { status } = (await core.runs.get(id, caller)).run;
  const over = page.over && page.next >= page.last && isOver(status);
  return answer({ run_id: id, status, events, next_seq: page.next, missing: page.missing, over });
}

export async function agentSteer(fields: JsonObject, call: Call): Promise<CallToolResult> {
  const id = needText(fields, 'run_id');
  const { core, caller } = call.settings;
  const { id: steer_id } = await core.runs.send(id, { type: 'steer', text: needText(fields, 'text') }, caller);
  return answer({ run_id: id, steer_id, accepted: true });
}

/** Asks the person whether what the caller wants to allow may happen. Null: the call ends with that question. */
async function confirmed({ run, questions }: RunView, request: string, call: Call): Promise<Answer | null> {
  const question = questions.find(({ id }) => id === request);
  if (!question)
    throw new RequestError(`request_id: no question ${request} of run ${run.run_id} is open`, 1, 'not-pending');
  switch (call.asker.kind) {
    case 'none':
      throw new RequestError(
        'choice: only the person may allow this, and this MCP client shows no questions (elicitation); ' +
          'deny it, or have the server started with --approvals caller',
        1,
        'unsupported',
      );
    case 'push': {
      const { action, content } = await call.asker.ask(permissionForm(question, run), call.signal);
      return readAnswer(action, content);
    }
    case 'retry':
      return answerIn(call.responses, request);
    default: {
      const never: never = call.asker;
      return never;
    }
  }
}

export async function agentApprove(fields: JsonObject, call: Call): Promise<CallToolResult | InputRequiredResult> {
  const { core, approvals, caller } = call.settings;
  const id = needText(fields, 'run_id');
  const choice = word(fields, 'choice', CHOICES);
  if (choice === undefined) throw new RequestError(`choice is missing: ${CHOICES.join(', ')}`);
  const view = await core.runs.get(id, caller);
  if (isOver(view.run.status)) throw new CoreError('not-active', `run ${id} is ${view.run.status}`);
  const request = text(fields, 'request_id') ?? view.questions[0]?.id;
  if (request === undefined) throw new RequestError(`request_id: no question of run ${id} is open`, 1, 'not-pending');
  if (choice !== 'deny' && approvals === 'deny')
    throw new RequestError(
      'choice: nothing may be allowed here; the person who set this server up decides (--approvals)',
      1,
    );
  let final: Answer = { choice, message: text(fields, 'message') };
  if (choice !== 'deny' && approvals === 'ask') {
    const said = await confirmed(view, request, call);
    const question = view.questions.find((one) => one.id === request);
    if (said === null && question)
      return inputRequired({ inputRequests: { [request]: inputRequired.elicit(permissionForm(question, view.run)) } });
    if (said !== null) final = said;
  }
  const { choice: chosen, message } = final;
  const more = message === undefined ? {} : { message };
  await core.runs.send(id, { type: 'approve', choice: chosen, request, ...more }, caller);
  const { status } = (await core.runs.get(id, caller)).run;
  return answer({ run_id: id, request_id: request, choice: chosen, status });
}

/** Answers when everything of the run is gone. */
export async function agentStop(fields: JsonObject, call: Call): Promise<CallToolResult> {
  const { core, caller } = call.settings;
  const id = needText(fields, 'run_id');
  const { did } = await core.runs.send(id, { type: 'cancel' }, caller);
  const { status } = await core.runs.ended(id, caller);
  return answer({ run_id: id, status, stopped: did });
}
