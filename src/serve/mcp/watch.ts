/** Waits for a run on behalf of a caller: tells what goes on, passes questions on, and cancels it when the caller leaves. */

import type { Event, PermissionRequestEvent } from '../../contract/event.js';
import type { Json } from '../../contract/vocabulary.js';
import { CoreError } from '../../runs/failure.js';
import type { RunRecord } from '../../runs/records.js';
import type { Call } from './call.js';
import { type Narrator, narrator } from './narrate.js';
import { type Answer, formOf, readAnswer } from './question.js';
import type { Waiter } from './waiting.js';

/** What a caller has heard of a run. Kept while it is asked something. */
export interface Watch {
  /** Number of the last event. */
  after: number;
  /** What the person should know besides the answer. */
  notices: string[];
  /** Names of tools that were denied. */
  denied: string[];
  /** The parsed answer, with `output_schema`. */
  structured: Json | null;
  /** Whether the caller itself asked for questions, rather than getting them by default. */
  asked: boolean;
}

export const newWatch = (asked: boolean): Watch => ({ after: 0, notices: [], denied: [], structured: null, asked });

/** Says so in the run when a question can't be put to anybody. */
const NOBODY = 'nobody can be asked: this MCP client shows no questions (elicitation)';

/** A question that was settled otherwise meanwhile is not a fault. */
export async function settle({ settings }: Call, run: string, id: string, { choice, message }: Answer): Promise<void> {
  try {
    const more = message === undefined ? {} : { message };
    await settings.core.runs.send(run, { type: 'approve', choice, request: id, ...more }, settings.caller);
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
  }
}

function note(watch: Watch, event: Event): void {
  switch (event.type) {
    case 'status': {
      const { message, phase } = event;
      if (message === undefined || phase !== 'notice') return;
      // Nobody asked for questions, so nobody misses them.
      if (!watch.asked && event.code === 'approvals-ignored') return;
      watch.notices.push(message);
      return;
    }
    case 'tool_activity':
      if (event.phase === 'end' && event.denied === true) watch.denied.push(event.name);
      return;
    case 'result':
      watch.structured = event.structured ?? null;
      return;
    default:
      return;
  }
}

/** Puts a question to the person while the run goes on. */
async function push(run: RunRecord, question: PermissionRequestEvent, call: Call, ended: AbortSignal): Promise<void> {
  if (call.asker.kind !== 'push') return;
  try {
    const { action, content } = await call.asker.ask(formOf(question, run), ended);
    await settle(call, run.run_id, question.id, readAnswer(action, content));
  } catch (error) {
    if (ended.aborted) return;
    const why = error instanceof Error ? error.message : String(error);
    const denied = { choice: 'deny', message: `the question could not be put to the person: ${why}` } as const;
    await settle(call, run.run_id, question.id, denied);
  }
}

/**
 * Resolves with the open questions when the caller has to be asked them and come back, else with null when the run is
 * over and everything of it is gone.
 */
export async function watchRun(waiter: Waiter, call: Call): Promise<PermissionRequestEvent[] | null> {
  const { signal, asker } = call;
  const { core, caller } = call.settings;
  const { run: id, watch } = waiter;
  const leave = () => waiter.attendance?.leave();
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  const ended = new AbortController();
  const { run } = await core.runs.get(id, caller);
  const tells: Narrator | null = call.progress ? narrator(run.cwd, call.progress) : null;
  try {
    for await (const item of core.log.follow(id, { after: watch.after, follow: true, signal, holds: true }, caller)) {
      if ('gap' in item) {
        watch.after = item.gap.to;
        continue;
      }
      const { seq, event } = item.entry;
      watch.after = seq;
      note(watch, event);
      tells?.hear(event);
      if (event.type !== 'permission_request') continue;
      const { questions } = await core.runs.get(id, caller);
      const question = questions.find((one) => one.id === event.id);
      if (!question) continue;
      if (asker.kind === 'retry') return questions;
      if (asker.kind === 'push') void push(run, question, call, ended.signal);
      else await settle(call, id, question.id, { choice: 'deny', message: NOBODY });
    }
    await core.runs.ended(id, caller);
    return null;
  } finally {
    signal.removeEventListener('abort', leave);
    ended.abort();
    tells?.end();
  }
}
