/** One run: a turn with a name, a state and a log, which anybody who knows its id may watch, answer or cancel. */

import type { Event, PermissionRequestEvent, ToolCallEvent } from '../contract/event.js';
import type { Choice, Json } from '../contract/vocabulary.js';
import { faultMessage } from '../runner/fault.js';
import { refusedEvents } from '../turn/refusal.js';
import type { Tap } from '../turn/world.js';
import type { Given } from './clock-and-ids.js';
import { type EventLog, eventLog } from './event-log.js';
import { CoreError } from './failure.js';
import type { LiveTurn, StartTurn, TurnPlan } from './plan.js';
import { isOver, type RunRecord, type RunStatus } from './records.js';
import { tally } from './run-tally.js';
import type { Sessions } from './sessions.js';
import type { Store } from './store/store.js';

/** Who ended it. A run that the server's end takes along is `interrupted`, not `cancelled`. */
export type CancelCause = 'user' | 'shutdown';

export interface Run {
  readonly id: string;
  /** As it is now. */
  readonly record: RunRecord;
  readonly log: EventLog;
  questions(): PermissionRequestEvent[];
  calls(): ToolCallEvent[];
  /** Its turn came. Resolves once everything of it is gone. */
  begin(start: StartTurn): Promise<void>;
  /** Works in every state; a queued run ends at once, a second call skips the waiting. @returns whether it did anything */
  cancel(cause: CancelCause): boolean;
  /** @throws CoreError */
  steer(text: string): { steer_id: string };
  /** @param request the oldest open question when absent @throws CoreError @returns the question's id */
  approve(choice: Choice, request?: string, message?: string): string;
  /** @throws CoreError */
  toolResult(call: string, ok: boolean, result: Json): void;
  /** Whoever would answer calls and questions is gone for good. */
  callerGone(): void;
  pause(): void;
  resume(): void;
  /** Resolves when the status is final. */
  readonly over: Promise<void>;
}

export interface RunOptions {
  record: RunRecord;
  plan: TurnPlan;
  /** What the runtime calls the session, if it lets us choose. */
  native: string;
  store: Store;
  sessions: Sessions;
  given: Given;
  tap?: Tap;
  /** Whether the runtime takes guidance. */
  canSteer(runtime: string): boolean;
}

export function createRun(options: RunOptions): Run {
  const { store, sessions, given, plan } = options;
  const record = { ...options.record };
  const log = eventLog(record.run_id, store);
  const sums = tally();
  let turn: LiveTurn | null = null;
  let cause: CancelCause | null = null;
  let steers = 0;
  let callerLeft = false;
  let settle: () => void = () => {};
  const over = new Promise<void>((resolve) => {
    settle = resolve;
  });

  function save(): void {
    store.putRun(record);
  }
  function become(status: RunStatus): void {
    if (isOver(record.status) || record.status === status) return;
    record.status = status;
    save();
  }
  function ended(exit: number | null, stop: string | null): RunStatus {
    if (exit === 0) return 'completed';
    if (cause === 'shutdown') return 'interrupted';
    return cause === 'user' || stop === 'cancelled' ? 'cancelled' : 'failed';
  }
  function finish(): void {
    const now = given.now();
    Object.assign(record, sums.record, { updated_at: now, ended_at: now });
    record.pending_steer = sums.undelivered.length > 0 ? sums.undelivered.join('\n') : null;
    become(ended(record.exit_code, record.stop_reason));
  }
  /** The status that open questions ask for. */
  function waitingOrNot(): void {
    if (record.status === 'running' && sums.questions.size > 0) become('waiting_for_approval');
    else if (record.status === 'waiting_for_approval' && sums.questions.size === 0) become('running');
  }
  function hear(told: Event): void {
    if (log.closed) return;
    const event = given.event(told);
    sums.hear(event);
    // `acp:COMMAND` says more than the id of its runner.
    if (event.type === 'start' && !plan.request.runtime.includes(':')) {
      record.runtime = event.runtime;
      sessions.learned(record.session_id, { runtime: event.runtime });
    }
    if (event.type === 'session') sessions.learned(record.session_id, { native: event.session_id });
    record.last_seq = log.last + 1;
    // Who reads `done` may ask for the run at once.
    if (event.type === 'done') finish();
    else waitingOrNot();
    log.append(event);
    if (event.type !== 'done') return;
    store.flush();
    log.close();
    sessions.used(record.session_id, record.ended_at ?? given.now());
    settle();
  }
  function refuse(code: 'cancelled' | 'runner-error', message: string): void {
    const { runtime, cwd, access, model, resume } = plan.request;
    for (const event of refusedEvents({ runtime, cwd, access, model, resume, code, message })) hear(event);
  }
  function alive(): LiveTurn {
    if (turn && !isOver(record.status) && record.status !== 'stopping') return turn;
    throw new CoreError('not-active', `run ${record.run_id} is ${record.status}`);
  }

  save();
  return {
    id: record.run_id,
    log,
    over,
    get record() {
      return { ...record };
    },
    questions: () => [...sums.questions.values()],
    calls: () => [...sums.calls.values()],
    async begin(start) {
      if (isOver(record.status)) return;
      record.started_at = record.updated_at = given.now();
      become('running');
      try {
        turn = start(plan, hear, options.native, options.tap);
      } catch (error) {
        return refuse('runner-error', faultMessage(error));
      }
      for (const [id, text] of sums.steers) turn.frame({ type: 'steer', id, text });
      if (callerLeft) turn.stdinClosed();
      await turn.done;
    },
    cancel(who) {
      if (isOver(record.status)) return false;
      cause ??= who;
      if (!turn) {
        refuse('cancelled', 'The run was cancelled while it was waiting for its turn.');
        return true;
      }
      become('stopping');
      turn.cancel();
      return true;
    },
    steer(text) {
      if (record.status === 'stopping' || isOver(record.status))
        throw new CoreError('not-active', `run ${record.run_id} is ${record.status}`);
      if (record.runtime !== 'auto' && !options.canSteer(record.runtime))
        throw new CoreError('unsupported', `${record.runtime} takes no guidance while it works`);
      steers += 1;
      const id = `s${steers}`;
      sums.steers.set(id, text);
      turn?.frame({ type: 'steer', id, text });
      return { steer_id: id };
    },
    approve(choice, request, message) {
      const to = alive();
      const id = request ?? sums.questions.keys().next().value;
      const question = id === undefined ? undefined : sums.questions.get(id);
      if (id === undefined || !question) {
        const which = request === undefined ? 'no question' : `no question ${request}`;
        throw new CoreError('not-pending', `${which} of run ${record.run_id} is open`);
      }
      if (!question.choices.includes(choice))
        throw new CoreError('bad-request', `the choices are ${question.choices.join(', ')}`);
      sums.questions.delete(id);
      waitingOrNot();
      to.frame({ type: 'permission_result', id, choice, ...(message === undefined ? {} : { message }) });
      return id;
    },
    toolResult(call, ok, result) {
      const to = alive();
      if (!sums.calls.has(call)) throw new CoreError('not-pending', `no call ${call} of run ${record.run_id} is open`);
      sums.calls.delete(call);
      to.frame({ type: 'tool_result', id: call, ok, result });
    },
    callerGone() {
      callerLeft = true;
      turn?.stdinClosed();
    },
    pause: () => turn?.pause(),
    resume: () => turn?.resume(),
  };
}
