/** Tools that reach into a run by its id: get, events, steer, approve, stop. */

import { type CallToolResult, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import { CHOICES, type JsonObject } from '../../contract/vocabulary.js';
import { isOver } from '../../runs/records.js';
import type { Run } from '../../runs/run.js';
import { parseObject } from '../../text/json.js';
import { needText, OpError, text, whole, word } from '../ops/request.js';
import type { Call } from './call.js';
import { type Answer, answerIn, formOf, readAnswer } from './question.js';
import { answer, runContent } from './results.js';

const MOST_WAIT = 60_000;
const EVENTS = { limit: 100, most: 500, bytes: 256 * 1024 };

/** Waits as long as asked, at most a minute, or until the caller leaves. */
function pause(fields: JsonObject, call: Call, until: Promise<unknown>): Promise<void> {
  const ms = Math.min(whole(fields, 'wait_ms', 0) ?? 0, MOST_WAIT);
  if (ms === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      call.signal.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    call.signal.addEventListener('abort', over, { once: true });
    void until.then(over);
  });
}

export async function agentGet(fields: JsonObject, call: Call): Promise<CallToolResult> {
  const { core } = call.settings;
  const id = needText(fields, 'run_id');
  const run = core.runs.live(id);
  if (run) await pause(fields, call, run.over);
  const record = core.runs.record(id);
  const questions = (core.runs.live(id)?.questions() ?? []).map(({ id: request_id, name, kind, input, choices }) => ({
    request_id,
    name,
    kind,
    input,
    choices: [...choices],
  }));
  return answer({ ...runContent(core, record), pending_steer: record.pending_steer, questions });
}

export async function agentEvents(fields: JsonObject, call: Call): Promise<CallToolResult> {
  const { core } = call.settings;
  const id = needText(fields, 'run_id');
  const log = core.runs.log(id);
  let after = whole(fields, 'after_seq', 0) ?? 0;
  const limit = Math.min(whole(fields, 'limit', 1) ?? EVENTS.limit, EVENTS.most);
  if (after >= log.last && !log.closed) await pause(fields, call, log.more(after));
  const events: JsonObject[] = [];
  let bytes = 0;
  let missing = 0;
  while (events.length < limit && bytes < EVENTS.bytes && after < log.last) {
    const some = log.read(after);
    if (some.length === 0) break;
    for (const { seq, json } of some) {
      if (events.length === limit || (events.length > 0 && bytes + json.length > EVENTS.bytes)) {
        bytes = EVENTS.bytes;
        break;
      }
      missing += seq - after - 1;
      after = seq;
      bytes += json.length;
      events.push({ seq, event: parseObject(json) ?? {} });
    }
  }
  const { status } = core.runs.record(id);
  const over = isOver(status) && after >= log.last;
  return answer({ run_id: id, status, events, next_seq: after, missing, over });
}

export async function agentSteer(fields: JsonObject, call: Call): Promise<CallToolResult> {
  const id = needText(fields, 'run_id');
  const { steer_id } = call.settings.core.runs.need(id).steer(needText(fields, 'text'));
  return answer({ run_id: id, steer_id, accepted: true });
}

/** Asks the person whether what the caller wants to allow may happen. Null: the call ends with that question. */
async function confirmed(run: Run, request: string, call: Call): Promise<Answer | null> {
  const question = run.questions().find(({ id }) => id === request);
  if (!question) throw new OpError(`request_id: no question ${request} of run ${run.id} is open`, 1, 'not-pending');
  switch (call.asker.kind) {
    case 'none':
      throw new OpError(
        'choice: only the person may allow this, and this MCP client shows no questions (elicitation); ' +
          'deny it, or have the server started with --approvals caller',
        1,
        'unsupported',
      );
    case 'push': {
      const { action, content } = await call.asker.ask(formOf(question, run.record), call.signal);
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
  const { core, approvals } = call.settings;
  const id = needText(fields, 'run_id');
  const choice = word(fields, 'choice', CHOICES);
  if (choice === undefined) throw new OpError(`choice is missing: ${CHOICES.join(', ')}`);
  const run = core.runs.need(id);
  const request = text(fields, 'request_id') ?? run.questions()[0]?.id;
  if (request === undefined) throw new OpError(`request_id: no question of run ${id} is open`, 1, 'not-pending');
  if (choice !== 'deny' && approvals === 'deny')
    throw new OpError(
      'choice: nothing may be allowed here; the person who set this server up decides (--approvals)',
      1,
    );
  let final: Answer = { choice, message: text(fields, 'message') };
  if (choice !== 'deny' && approvals === 'ask') {
    const said = await confirmed(run, request, call);
    const question = run.questions().find((one) => one.id === request);
    if (said === null && question)
      return inputRequired({ inputRequests: { [request]: inputRequired.elicit(formOf(question, run.record)) } });
    if (said !== null) final = said;
  }
  run.approve(final.choice, request, final.message);
  return answer({ run_id: id, request_id: request, choice: final.choice, status: core.runs.record(id).status });
}

/** Answers when everything of the run is gone. */
export async function agentStop(fields: JsonObject, call: Call): Promise<CallToolResult> {
  const { core } = call.settings;
  const id = needText(fields, 'run_id');
  const run = core.runs.live(id);
  const stopped = run?.cancel('user') ?? false;
  await run?.over;
  return answer({ run_id: id, status: core.runs.record(id).status, stopped });
}
