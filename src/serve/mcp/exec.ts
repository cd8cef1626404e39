/** `agent_exec`: one turn, from its question to its answer, in one call. */

import { type CallToolResult, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../contract/vocabulary.js';
import { emptyMemory, submit } from '../../runs/asking.js';
import { liveGiven } from '../../runs/clock-and-ids.js';
import type { Started } from '../../runs/ports.js';
import { RequestError } from '../../runs/request-error.js';
import { execArguments } from './arguments.js';
import type { Call } from './call.js';
import { checkDepth } from './depth.js';
import { formOf, type Open, settlingIn } from './question.js';
import { answer, turnResult } from './results.js';
import type { Waiter } from './waiting.js';
import { newWatch, openOnes, settle, watchRun } from './watch.js';

/** Begins a turn. @throws RequestError, CoreError, UsageError before anything is started */
async function begin(fields: JsonObject, call: Call, how: { answered: boolean; attended: boolean }): Promise<Started> {
  const { core, caller, maxDepth } = call.settings;
  checkDepth(call.depth, maxDepth);
  const { given: asked, session } = await execArguments(fields, call, how.answered);
  const of: JsonObject = session === null ? {} : { session: session.session_id };
  const memory = emptyMemory();
  const context = { core, fields: of, memory, given: liveGiven(), caller, id: null, depth: call.depth };
  return submit(asked, context, how.attended);
}

/** Ends the call with the questions; the next try finds the run by its handle. */
async function ask(waiter: Waiter, questions: readonly Open[], call: Call): Promise<InputRequiredResult> {
  const { core, caller } = call.settings;
  const { run } = await core.runs.get(waiter.run, caller);
  const forms = questions.flatMap((question) => {
    const form = formOf(question, run);
    return form === null ? [] : [[question.id, inputRequired.elicit(form)] as const];
  });
  return inputRequired({ inputRequests: Object.fromEntries(forms), requestState: call.settings.waiting.put(waiter) });
}

/** The run that an earlier try began, with the answers that came. Unanswered questions are asked again. */
async function goOn(handle: string, call: Call): Promise<Waiter> {
  const { core, caller, waiting } = call.settings;
  const found = waiting.take(handle);
  if (!found) throw new RequestError('requestState: nothing waits for this answer any more', 1, 'not-found');
  for (const open of openOnes(await core.runs.get(found.run, caller))) {
    const given = settlingIn(call.responses, open);
    if (given) await settle(call, found.run, given);
  }
  return found;
}

async function started(fields: JsonObject, call: Call): Promise<Waiter> {
  const { run, attendance } = await begin(fields, call, { answered: call.asker.kind !== 'none', attended: true });
  return { run: run.run_id, attendance, watch: newWatch(fields['approvals'] === 'ask') };
}

export async function agentExec(fields: JsonObject, call: Call): Promise<CallToolResult | InputRequiredResult> {
  const { core, caller } = call.settings;
  const waiter = call.handle === undefined ? await started(fields, call) : await goOn(call.handle, call);
  const still = call.handle === undefined ? [] : openOnes(await core.runs.get(waiter.run, caller));
  const questions = still.length > 0 ? still : await watchRun(waiter, call);
  if (questions !== null && questions.length > 0) return ask(waiter, questions, call);
  waiter.attendance?.leave();
  return turnResult(call.settings, (await core.runs.get(waiter.run, caller)).run, waiter.watch);
}

/** `agent_start`: the same turn, which goes on without the call. */
export async function agentStart(fields: JsonObject, call: Call): Promise<CallToolResult> {
  const { run } = await begin(fields, call, { answered: false, attended: false });
  return answer({ run_id: run.run_id, session_id: run.session_id, status: run.status });
}
