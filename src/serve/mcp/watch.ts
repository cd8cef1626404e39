/** Waits for a run on behalf of a caller: tells what goes on, passes questions on, and cancels it when the caller leaves. */

import type { Event } from '../../contract/event.js';
import type { Json } from '../../contract/vocabulary.js';
import { CoreError } from '../../runs/failure.js';
import type { Command, RunRecord } from '../../runs/records.js';
import type { RunView } from '../../runs/view.js';
import type { Call } from './call.js';
import { type Narrator, narrator } from './narrate.js';
import { formOf, type Open, settling, unasked } from './question.js';
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
export async function settle({ settings }: Call, run: string, command: Command): Promise<void> {
  try {
    await settings.core.runs.send(run, command, settings.caller);
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

/** Everything that waits for a person. */
export const openOnes = ({ questions, asked }: RunView): Open[] => [...questions, ...asked];

/** Puts a question to the person while the run goes on. */
async function push(run: RunRecord, open: Open, call: Call, ended: AbortSignal): Promise<void> {
  const form = formOf(open, run);
  if (call.asker.kind !== 'push' || form === null) return;
  try {
    const { action, content } = await call.asker.ask(form, ended);
    await settle(call, run.run_id, settling(open, action, content));
  } catch (error) {
    if (ended.aborted) return;
    const why = error instanceof Error ? error.message : String(error);
    await settle(call, run.run_id, unasked(open, `the question could not be put to the person: ${why}`));
  }
}

/**
 * Resolves with the open questions when the caller has to be asked them and come back, else with null when the run is
 * over and everything of it is gone.
 */
export async function watchRun(waiter: Waiter, call: Call): Promise<Open[] | null> {
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
      if (event.type !== 'permission_request' && event.type !== 'question') continue;
      const all = openOnes(await core.runs.get(id, caller));
      const open = all.find((one) => one.id === event.id);
      if (!open) continue;
      if (asker.kind === 'none') await settle(call, id, unasked(open, NOBODY));
      else if (formOf(open, run) === null) {
        watch.notices.push('A question of the agent was declined: no form may ask it (a secret, or a page to open).');
        await settle(call, id, unasked(open, NOBODY));
      } else if (asker.kind === 'retry') return all.filter((one) => formOf(one, run) !== null);
      else void push(run, open, call, ended.signal);
    }
    await core.runs.ended(id, caller);
    return null;
  } finally {
    signal.removeEventListener('abort', leave);
    ended.abort();
    tells?.end();
  }
}
