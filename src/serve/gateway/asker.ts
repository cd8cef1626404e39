/** The questions that one client is asked: as requests, and as events too while it has not said that it knows requests. */

import type { Core } from '../../runs/core.js';
import type { Caller } from '../../runs/ports.js';
import type { RunRecord } from '../../runs/records.js';
import { type Asked, answer, type Open, openIn, openQuestion, openQuestions, withdraw } from './questions.js';
import { CODE, type EventParams, type Incoming, RpcError } from './rpc.js';

export interface AskerOptions {
  core: Core;
  caller: Caller;
  request(question: Open): void;
  tell(event: EventParams): void;
}

export interface Asker {
  /** Unless it was settled meanwhile. */
  ask(run: RunRecord, event: Asked): Promise<void>;
  /** The client was given these with an answer. */
  given(questions: readonly Open[]): void;
  /** The client answers one itself, so it is not told that it is gone. @throws {RpcError} it is still open */
  settle(question: Open, work: () => Promise<boolean>): Promise<boolean>;
  /** A response to a request. */
  hear(answer: Extract<Incoming, { kind: 'answer' }>): Promise<void>;
  /** What the client says that it can do. */
  advertise(what: { requests: boolean | undefined; declines: boolean | undefined }): void;
  /** Nothing of a session is asked any more. */
  forget(session: string): void;
  /** Tells of questions that were settled elsewhere, until the signal. */
  watch(signal: AbortSignal): Promise<void>;
}

function reasonOf({ status }: RunRecord): string {
  if (status === 'stopping' || status === 'cancelled') return 'interrupted';
  return status === 'interrupted' ? 'shutdown' : 'resolved';
}

export function asker({ core, caller, request, tell }: AskerOptions): Asker {
  const shown = new Map<string, Open>();
  let advertised = false;
  let declines = false;

  function show(open: Open): void {
    shown.set(open.id, open);
    request(open);
    const { type, payload } = open.event;
    if (!advertised) tell({ type, session_id: open.session_id, payload });
  }
  async function settle(question: Open, work: () => Promise<boolean>): Promise<boolean> {
    const was = shown.get(question.id);
    shown.delete(question.id);
    try {
      return await work();
    } catch (error) {
      if (was) shown.set(question.id, was);
      throw error;
    }
  }
  /** Tells of those of a run that are not open any more. */
  async function check(run: RunRecord): Promise<void> {
    const mine = [...shown.values()].filter(({ run_id }) => run_id === run.run_id);
    if (mine.length === 0) return;
    const open = new Set((await openIn(core, caller, run.run_id)).map(({ id }) => id));
    for (const { id, method, session_id } of mine)
      if (!open.has(id) && shown.delete(id))
        tell({ type: 'request.cancel', session_id, payload: { id, method, reason: reasonOf(run) } });
  }

  return {
    async ask(run, event) {
      const open = openQuestion(run, event);
      // It came with a snapshot.
      if (shown.has(open.id)) return;
      const now = await openIn(core, caller, run.run_id);
      if (now.some(({ id }) => id === open.id)) show(open);
    },
    given(questions) {
      for (const one of questions) {
        if (shown.has(one.id)) continue;
        if (advertised) shown.set(one.id, one);
        else show(one);
      }
    },
    settle,
    async hear({ id, result, error }) {
      const open = shown.get(id) ?? (await openQuestions(core, caller)).find((one) => one.id === id);
      // Settled before, or never asked.
      if (!open) return;
      if (error !== null && error['code'] === CODE.notShown && declines) return void shown.delete(id);
      try {
        await settle(open, () =>
          error === null
            ? answer(core, caller, open, result)
            : withdraw(core, caller, open, String(error['message'] ?? 'the client refused')),
        );
      } catch (fault) {
        if (!(fault instanceof RpcError)) throw fault;
        // There is no answer to a response: it is asked again.
        tell({ type: 'notice', session_id: open.session_id, payload: { message: fault.message } });
        show(open);
      }
    },
    advertise({ requests, declines: may }) {
      advertised = requests ?? advertised;
      declines = may ?? declines;
    },
    forget(session) {
      for (const [id, open] of shown) if (open.session_id === session) shown.delete(id);
    },
    async watch(signal) {
      for await (const { run } of core.runs.watch({ signal }, caller)) await check(run);
    },
  };
}
