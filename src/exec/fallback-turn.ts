/**
 * Several runtimes for one turn: what fails before it did anything is followed by the next, and the stream says so. When
 * all have failed and one of them says when its quota is back, that moment may be waited for.
 */

import type { ErrorCode } from '../contract/error.js';
import type { DoneEvent, ErrorEvent, Event, NextRuntime, StartEvent, Totals } from '../contract/event.js';
import { addKnown } from '../text/json.js';
import type { Turn } from '../turn/loop.js';
import type { ExecOptions } from './exec-turn.js';

/** Causes that lie with one runtime or its account: another one may do better. */
const GOES_ON: ReadonlySet<ErrorCode> = new Set([
  'quota',
  'rate-limited',
  'missing-binary',
  'auth',
  'model-unavailable',
]);

const mayGoOn = (error: ErrorEvent): boolean =>
  GOES_ON.has(error.code) || (error.code === 'timeout' && error.reason === 'startup');

/** Whether something was said or done that another runtime would say or do once more. */
function hasWorked(event: Event): boolean {
  switch (event.type) {
    case 'assistant':
    case 'thinking':
    case 'tool_call':
    case 'tool_activity':
    case 'subagent':
    case 'plan':
    case 'patch':
    case 'permission_request':
    case 'question':
      return true;
    default:
      return false;
  }
}

function nextRuntime(start: StartEvent): NextRuntime {
  const { runtime_version, child_pid, access_gaps, native_sandbox, approvals } = start;
  const { asks_permission, settings_loaded, credential, streams_incrementally } = start;
  return {
    ...(runtime_version === undefined ? {} : { runtime_version }),
    ...(child_pid === undefined ? {} : { child_pid }),
    ...{ access_gaps, native_sandbox, approvals, asks_permission, settings_loaded, credential, streams_incrementally },
  };
}

function sum(one: Totals | undefined, other: Totals | undefined): Totals | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    input_tokens: addKnown(one.input_tokens, other.input_tokens),
    output_tokens: addKnown(one.output_tokens, other.output_tokens),
    cached_tokens: addKnown(one.cached_tokens, other.cached_tokens),
    cost_usd: addKnown(one.cost_usd, other.cost_usd),
  };
}

const OUT_OF_QUOTA: ReadonlySet<ErrorCode> = new Set(['quota', 'rate-limited']);

/** The local time of a moment, for people. */
const hourOf = (ms: number): string => new Date(ms).toTimeString().slice(0, 5);

/**
 * Begins the turn with the first runtime.
 * @param runtimes ids, in order
 * @param begin begins a turn of one runtime
 * @returns its handle; frames go to the runtime that is at work
 */
export function fallbackTurn(
  options: ExecOptions,
  runtimes: readonly string[],
  begin: (one: ExecOptions) => Turn,
): Turn {
  const began = Date.now();
  let cancelled = false;
  let turn: Turn;
  let spent: Totals | undefined;
  let settle: (exit: number) => void = () => {};
  const done = new Promise<number>((resolve) => {
    settle = resolve;
  });

  const timeLeft = () => {
    const { timeoutMs } = options.limits;
    return timeoutMs === 0 ? Number.POSITIVE_INFINITY : Math.max(1, timeoutMs - (Date.now() - began));
  };
  /** The shortest wait that a runtime of this round named, in milliseconds. */
  let soonest = Number.POSITIVE_INFINITY;
  let waiting: { timer: NodeJS.Timeout; runtime: string } | null = null;
  const mayWait = () => soonest <= Math.min(options.limits.quotaMs ?? 0, timeLeft());

  function wait(failed: { from: string; code: ErrorCode }): void {
    const ms = soonest;
    soonest = Number.POSITIVE_INFINITY;
    const message = `${failed.from} failed (${failed.code}); the turn begins again at ${hourOf(Date.now() + ms)}, in ${Math.ceil(ms / 1000)} s`;
    options.emit({ v: 1, type: 'status', phase: 'notice', code: 'quota-wait', message });
    const timer = setTimeout(() => {
      waiting = null;
      attempt(0, failed);
    }, ms);
    waiting = { timer, runtime: failed.from };
  }
  /** Nothing runs while the quota is waited for: the end is ours to say. */
  function leave(): void {
    if (waiting === null) return;
    clearTimeout(waiting.timer);
    waiting = null;
    options.emit({ v: 1, type: 'error', code: 'cancelled', message: 'The turn was cancelled.', fatal: false });
    const totals = spent ? { totals: spent } : {};
    const duration_ms = Date.now() - began;
    options.emit({ v: 1, type: 'done', exit_code: 130, stop_reason: 'cancelled', duration_ms, ...totals });
    settle(130);
  }

  function attempt(index: number, failed: { from: string; code: ErrorCode } | null): void {
    const runtime = runtimes[index] ?? '';
    const next = runtimes[index + 1];
    let worked = false;
    /** The failure that another runtime makes good. */
    let passed: ErrorEvent | null = null;
    let end: DoneEvent | null = null;
    const emit = (event: Event): void => {
      worked ||= hasWorked(event);
      if (event.type === 'start' && failed !== null) {
        const message = `${failed.from} failed (${failed.code}); the turn goes on with ${event.runtime}`;
        const fallback = { ...failed, to: event.runtime };
        const next = nextRuntime(event);
        return options.emit({ v: 1, type: 'status', phase: 'notice', code: 'fallback', message, fallback, ...next });
      }
      if (event.type === 'error' && !worked && !cancelled && mayGoOn(event)) {
        if (OUT_OF_QUOTA.has(event.code)) soonest = Math.min(soonest, event.retry_after_ms ?? Number.POSITIVE_INFINITY);
        if (next !== undefined || mayWait()) {
          passed = event;
          return;
        }
      }
      if (event.type === 'result') return options.emit({ ...event, runtime });
      if (event.type === 'done') {
        end = event;
        const totals = sum(spent, event.totals);
        spent = totals;
        if (passed !== null) return;
        return options.emit({ ...event, duration_ms: Date.now() - began, ...(totals ? { totals } : {}) });
      }
      options.emit(event);
    };
    const left = options.limits.timeoutMs === 0 ? 0 : timeLeft();
    turn = begin({
      ...options,
      request: { ...options.request, runtime },
      limits: { ...options.limits, timeoutMs: left },
      emit,
    });
    void turn.done.then((exit) => {
      const why: ErrorEvent | null = passed;
      if (why === null) return settle(exit);
      const from = { from: runtime, code: why.code };
      if (!cancelled) return next === undefined ? wait(from) : attempt(index + 1, from);
      // Cancelled in between: the failure that was held back is the end after all.
      options.emit(why);
      if (end !== null) options.emit(end);
      settle(exit);
    });
  }

  attempt(0, null);
  return {
    frame(frame) {
      if (frame.type === 'cancel') cancelled = true;
      if (cancelled && waiting) return leave();
      turn.frame(frame);
    },
    badFrame: (message, id) => turn.badFrame(message, id),
    stdinClosed: () => turn.stdinClosed(),
    cancel() {
      cancelled = true;
      if (waiting) return leave();
      turn.cancel();
    },
    notice: (code, message) => turn.notice(code, message),
    fault: (message) => turn.fault(message),
    pause: () => turn.pause(),
    resume: () => turn.resume(),
    done,
  };
}
