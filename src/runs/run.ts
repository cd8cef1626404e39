/** One run that this process works on: a turn with a name, a state and a log. */

import type { Event, PermissionRequestEvent, QuestionEvent, ToolCallEvent } from '../contract/event.js';
import { faultMessage } from '../runner/fault.js';
import { answersFault } from '../text/answers.js';
import { refusedEvents } from '../turn/refusal.js';
import type { Tap } from '../turn/world.js';
import { type Attendants, attendants } from './attendance.js';
import type { Given } from './clock-and-ids.js';
import { type EventLog, eventLog } from './event-log.js';
import { CoreError } from './failure.js';
import type { LiveTurn, StartTurn, TurnPlan } from './plan.js';
import type { Place } from './ports.js';
import { type Command, type EndCause, isOver, type Receipt, type RunRecord, type RunStatus } from './records.js';
import { tally } from './run-tally.js';
import type { RunStore } from './store/store.js';

/** What ends a run from the outside. */
export type CancelCause = Exclude<EndCause, 'crash'>;

export interface Run {
  readonly id: string;
  /** As it is now. */
  readonly record: RunRecord;
  readonly log: EventLog;
  readonly attendants: Attendants;
  questions(): PermissionRequestEvent[];
  asked(): QuestionEvent[];
  calls(): ToolCallEvent[];
  /** Its turn came. Resolves once everything of it is gone. */
  begin(start: StartTurn, place: Place, begun: () => void): Promise<void>;
  /** Works in every state; a second call skips the waiting. @returns whether it did anything */
  cancel(cause: CancelCause): boolean;
  /** @throws {CoreError} */
  perform(command: Command): Receipt & { ok: true };
  /** Resolves when the last event was said. */
  readonly over: Promise<void>;
}

export interface RunOptions {
  record: RunRecord;
  plan: TurnPlan;
  /** The plan as the session wants it when its turn comes. */
  prepare(plan: TurnPlan): TurnPlan;
  /** What the runtime calls the session, if it lets us choose. */
  native: string;
  store: RunStore;
  given: Given;
  /** How long it goes on when nobody waits for it any more, milliseconds. */
  graceMs: number;
  tap?: Tap;
  /** Whether the runtime takes guidance. */
  canSteer(runtime: string): boolean;
  /** The runtime said what it calls the session, or what it is. */
  learned(what: { native?: string; runtime?: string }): void;
  /** The record was changed. */
  saved(): void;
  /** It is over: called before its last event has a number. */
  ended(record: RunRecord): void;
}

export function createRun(options: RunOptions): Run {
  const { store, given, plan } = options;
  const record = { ...options.record };
  const log = eventLog(record.run_id, store, heldBack);
  const sums = tally();
  const waiting = attendants({
    graceMs: options.graceMs,
    deaf: () => {
      callerLeft = true;
      turn?.stdinClosed();
    },
    left: () => void cancel('disconnect'),
  });
  let turn: LiveTurn | null = null;
  let place: Place | null = null;
  let cause: CancelCause | null = null;
  let steers = 0;
  let callerLeft = false;
  let held = false;
  let settle: () => void = () => {};
  const over = new Promise<void>((resolve) => {
    settle = resolve;
  });

  function save(): void {
    store.putRun(record);
    options.saved();
  }
  function become(status: RunStatus): void {
    if (isOver(record.status) || record.status === status) return;
    record.status = status;
    save();
  }
  function ended(exit: number | null, stop: string | null): RunStatus {
    if (exit === 0) return 'completed';
    if (cause === 'shutdown' && stop === 'interrupted') return 'interrupted';
    return cause !== null || stop === 'cancelled' ? 'cancelled' : 'failed';
  }
  function finish(): void {
    const now = given.now();
    Object.assign(record, sums.record, { updated_at: now, ended_at: now, last_seq: log.given + 1 });
    record.pending_steer = sums.undelivered.length > 0 ? sums.undelivered.join('\n') : null;
    const status = ended(record.exit_code, record.stop_reason);
    if (status === 'cancelled' || status === 'interrupted') record.ended_by = cause ?? 'user';
    become(status);
    options.ended({ ...record });
  }
  /** A place is for what works: who waits for a person, the caller's tools or a reader gives it back. */
  function placeNow(): void {
    if (held || record.status === 'waiting_for_approval' || sums.calls.size > 0) place?.yield();
    else place?.retake();
  }
  function heldBack(now: boolean): void {
    held = now;
    placeNow();
    if (now) turn?.pause();
    else turn?.resume();
  }
  /** The status that open questions ask for. */
  function waitingOrNot(): void {
    const open = sums.questions.size + sums.asked.size;
    if (record.status === 'running' && open > 0) become('waiting_for_approval');
    else if (record.status === 'waiting_for_approval' && open === 0) become('running');
    placeNow();
  }
  /** What the end of the server takes along must not look like a cancel of its user. */
  function asEnded(event: Event): Event {
    if (cause !== 'shutdown') return event;
    if (event.type === 'error' && event.code === 'cancelled')
      return { ...event, code: 'interrupted', message: 'The server ended before this run did.' };
    if (event.type === 'done' && event.stop_reason === 'cancelled') return { ...event, stop_reason: 'interrupted' };
    return event;
  }
  function hear(told: Event): void {
    if (isOver(record.status)) return;
    const event = given.event(asEnded(told));
    sums.hear(event);
    // `acp:COMMAND` says more than the id of its runner.
    if (event.type === 'start' && !plan.request.runtime.includes(':')) {
      record.runtime = event.runtime;
      options.learned({ runtime: event.runtime });
    }
    if (event.type === 'session') options.learned({ native: event.session_id });
    // Who reads `done` may ask for the run at once.
    if (event.type === 'done') finish();
    else waitingOrNot();
    log.append(event);
    if (event.type !== 'done') return;
    log.close();
    waiting.close();
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
  function cancel(who: CancelCause): boolean {
    if (isOver(record.status)) return false;
    cause ??= who;
    if (!turn) {
      refuse('cancelled', 'The run was cancelled while it was waiting for its turn.');
      return true;
    }
    become('stopping');
    turn.cancel();
    return true;
  }
  function steer(text: string): string {
    if (record.status === 'stopping' || isOver(record.status))
      throw new CoreError('not-active', `run ${record.run_id} is ${record.status}`);
    if (record.runtime !== 'auto' && !options.canSteer(record.runtime))
      throw new CoreError('unsupported', `${record.runtime} takes no guidance while it works`);
    steers += 1;
    const id = `s${steers}`;
    sums.steers.set(id, text);
    turn?.frame({ type: 'steer', id, text });
    return id;
  }
  function approve({ choice, request, message }: Command & { type: 'approve' }): string {
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
    // Watchers hear of each answer, also while another question is open.
    if (record.status === 'waiting_for_approval') save();
    to.frame({ type: 'permission_result', id, choice, ...(message === undefined ? {} : { message }) });
    return id;
  }
  function reply({ answers, question }: Command & { type: 'answer' }): string {
    const to = alive();
    const id = question ?? sums.asked.keys().next().value;
    const asked = id === undefined ? undefined : sums.asked.get(id);
    if (id === undefined || !asked) {
      const which = question === undefined ? 'the agent asks nothing' : `the agent asks no question ${question}`;
      throw new CoreError('not-pending', `${which} in run ${record.run_id}`);
    }
    const fault = asked.questions.length === 0 ? null : answersFault(asked.questions, answers);
    if (fault !== null) throw new CoreError('bad-request', fault);
    to.frame({ type: 'question_result', id, answers });
    return id;
  }
  function toolResult({ call, ok, result }: Command & { type: 'tool_result' }): string {
    const to = alive();
    if (!sums.calls.has(call)) throw new CoreError('not-pending', `no call ${call} of run ${record.run_id} is open`);
    sums.calls.delete(call);
    to.frame({ type: 'tool_result', id: call, ok, result });
    return call;
  }

  return {
    id: record.run_id,
    log,
    over,
    attendants: waiting,
    get record() {
      // What is not durable is not there for anybody yet.
      return { ...record, last_seq: log.last };
    },
    questions: () => [...sums.questions.values()],
    asked: () => [...sums.asked.values()],
    calls: () => [...sums.calls.values()],
    async begin(start, at, begun) {
      if (isOver(record.status)) return;
      place = at;
      record.started_at = record.updated_at = given.now();
      become('running');
      const listen = (event: Event) => {
        hear(event);
        // A program that says something is through with what costs most.
        if (event.type !== 'start' && event.type !== 'status') begun();
      };
      try {
        turn = start(options.prepare(plan), listen, options.native, options.tap);
      } catch (error) {
        return refuse('runner-error', faultMessage(error));
      }
      for (const [id, text] of sums.steers) turn.frame({ type: 'steer', id, text });
      if (callerLeft) turn.stdinClosed();
      await turn.done;
    },
    cancel,
    perform(command) {
      switch (command.type) {
        case 'cancel':
          return { ok: true, id: null, did: cancel(command.cause ?? 'user') };
        case 'steer':
          return { ok: true, id: steer(command.text), did: true };
        case 'approve':
          return { ok: true, id: approve(command), did: true };
        case 'answer':
          return { ok: true, id: reply(command), did: true };
        case 'tool_result':
          return { ok: true, id: toolResult(command), did: true };
        default: {
          const never: never = command;
          throw new CoreError('bad-request', `unknown command ${JSON.stringify(never)}`);
        }
      }
    },
  };
}
