/** Waits for a run on behalf of a caller: tells what goes on, passes questions on, and cancels it when the caller leaves. */

import type { PermissionRequestEvent } from '../../contract/event.js';
import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { follow } from '../../runs/event-log.js';
import { CoreError } from '../../runs/failure.js';
import type { Run } from '../../runs/run.js';
import { at, parseObject, str } from '../../text/json.js';
import type { Call } from './call.js';
import { type Narrator, narrator } from './narrate.js';
import { type Answer, formOf, readAnswer } from './question.js';

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
export const NOBODY = 'nobody can be asked: this MCP client shows no questions (elicitation)';

/** A question that was settled otherwise meanwhile is no fault. */
export function settle(run: Run, id: string, { choice, message }: Answer): void {
  try {
    run.approve(choice, id, message);
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
  }
}

function note(watch: Watch, event: JsonObject): void {
  switch (event['type']) {
    case 'status': {
      const message = str(event, 'message');
      if (message === undefined || event['phase'] !== 'notice') return;
      // Nobody asked for questions, so nobody misses them.
      if (!watch.asked && message.includes('--approvals stdio has no effect')) return;
      watch.notices.push(message);
      return;
    }
    case 'tool_activity':
      if (event['denied'] === true) watch.denied.push(str(event, 'name') ?? 'a tool');
      return;
    case 'result':
      watch.structured = at(event, 'structured') ?? null;
      return;
    default:
      return;
  }
}

/** Puts a question to the person while the run goes on. */
async function push(run: Run, question: PermissionRequestEvent, call: Call, ended: AbortSignal): Promise<void> {
  if (call.asker.kind !== 'push') return;
  try {
    const { action, content } = await call.asker.ask(formOf(question, run.record), ended);
    settle(run, question.id, readAnswer(action, content));
  } catch (error) {
    if (ended.aborted) return;
    const why = error instanceof Error ? error.message : String(error);
    settle(run, question.id, { choice: 'deny', message: `the question could not be put to the person: ${why}` });
  }
}

/**
 * Resolves with the open questions when the caller has to be asked them and come back, else with null when the run is
 * over and everything of it is gone.
 */
export async function watchRun(run: Run, watch: Watch, call: Call): Promise<PermissionRequestEvent[] | null> {
  const { signal, asker } = call;
  const leave = () => void run.cancel('user');
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  const ended = new AbortController();
  const tells: Narrator | null = call.progress ? narrator(run.record.cwd, call.progress) : null;
  try {
    for await (const item of follow(run.log, { after: watch.after, follow: true, signal })) {
      if ('gap' in item) {
        watch.after = item.gap.to;
        continue;
      }
      watch.after = item.entry.seq;
      const event = parseObject(item.entry.json) ?? {};
      note(watch, event);
      tells?.hear(event);
      if (event['type'] !== 'permission_request') continue;
      const question = run.questions().find(({ id }) => id === event['id']);
      if (!question) continue;
      if (asker.kind === 'retry') return run.questions();
      if (asker.kind === 'push') void push(run, question, call, ended.signal);
      else settle(run, question.id, { choice: 'deny', message: NOBODY });
    }
    await run.over;
    return null;
  } finally {
    signal.removeEventListener('abort', leave);
    ended.abort();
    tells?.end();
  }
}
