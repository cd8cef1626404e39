/** `agent_exec`: one turn, from its question to its answer, in one call. */

import { type CallToolResult, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import type { PermissionRequestEvent } from '../../contract/event.js';
import type { JsonObject } from '../../contract/vocabulary.js';
import { checkSchema } from '../../request/from-json.js';
import { liveGiven } from '../../runs/clock-and-ids.js';
import type { Run } from '../../runs/run.js';
import { submit } from '../ops/exec.js';
import { emptyMemory } from '../ops/op.js';
import { OpError } from '../ops/request.js';
import { execArguments } from './arguments.js';
import type { Call } from './call.js';
import { checkDepth } from './depth.js';
import { answerIn, formOf } from './question.js';
import { answer, turnResult } from './results.js';
import { newWatch, settle, type Watch, watchRun } from './watch.js';

/** Begins a turn. @throws OpError, CoreError, UsageError before anything is started */
export async function begin(fields: JsonObject, call: Call, answered: boolean): Promise<Run> {
  const { core, maxDepth } = call.settings;
  checkDepth(call.depth, maxDepth);
  const { given, session } = execArguments(fields, call, answered);
  await checkSchema(given);
  const { run } = submit(given, {
    core,
    fields: session === null ? {} : { session: session.session_id },
    memory: emptyMemory(),
    given: liveGiven(),
    scope: 'mcp',
    depth: call.depth,
  });
  if (!run) throw new OpError('the run is over already', 1);
  return run;
}

/** Ends the call with the questions; the next try finds the run by its handle. */
function ask(run: Run, watch: Watch, questions: readonly PermissionRequestEvent[], call: Call): InputRequiredResult {
  const { record } = run;
  const forms = questions.map((question) => [question.id, inputRequired.elicit(formOf(question, record))] as const);
  return inputRequired({
    inputRequests: Object.fromEntries(forms),
    requestState: call.settings.waiting.put({ run, watch }),
  });
}

/** The run that an earlier try began, with the answers that came. Unanswered questions are asked again. */
function goOn(handle: string, call: Call): { run: Run; watch: Watch } {
  const found = call.settings.waiting.take(handle);
  if (!found) throw new OpError('requestState: nothing waits for this answer any more', 1, 'not-found');
  for (const { id } of found.run.questions()) {
    const given = answerIn(call.responses, id);
    if (given) settle(found.run, id, given);
  }
  return found;
}

export async function agentExec(fields: JsonObject, call: Call): Promise<CallToolResult | InputRequiredResult> {
  const { core } = call.settings;
  const { run, watch } =
    call.handle === undefined
      ? { run: await begin(fields, call, call.asker.kind !== 'none'), watch: newWatch(fields['approvals'] === 'ask') }
      : goOn(call.handle, call);
  const still = call.handle === undefined ? [] : run.questions();
  const questions = still.length > 0 ? still : await watchRun(run, watch, call);
  if (questions !== null && questions.length > 0) return ask(run, watch, questions, call);
  return turnResult(core, core.runs.record(run.id), watch);
}

/** `agent_start`: the same turn, which goes on without the call. */
export async function agentStart(fields: JsonObject, call: Call): Promise<CallToolResult> {
  const { id, record } = await begin(fields, call, false);
  return answer({ run_id: id, session_id: record.session_id, status: record.status });
}
