/** Several runtimes for one turn: what fails before it did anything is followed by the next, and the stream says so. */

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

/**
 * Begins the turn with the first runtime.
 * @param runtimes two or more ids, in order
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
        return options.emit({ v: 1, type: 'status', phase: 'notice', message, fallback, ...nextRuntime(event) });
      }
      if (event.type === 'error' && next !== undefined && !worked && !cancelled && mayGoOn(event)) {
        passed = event;
        return;
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
    const { timeoutMs } = options.limits;
    const left = timeoutMs === 0 ? 0 : Math.max(1, timeoutMs - (Date.now() - began));
    turn = begin({
      ...options,
      request: { ...options.request, runtime },
      limits: { ...options.limits, timeoutMs: left },
      emit,
    });
    void turn.done.then((exit) => {
      const why: ErrorEvent | null = passed;
      if (why === null) return settle(exit);
      if (!cancelled) return attempt(index + 1, { from: runtime, code: why.code });
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
      turn.frame(frame);
    },
    badFrame: (message, id) => turn.badFrame(message, id),
    stdinClosed: () => turn.stdinClosed(),
    cancel() {
      cancelled = true;
      turn.cancel();
    },
    notice: (message, ...rest) => turn.notice(message, ...rest),
    fault: (message) => turn.fault(message),
    pause: () => turn.pause(),
    resume: () => turn.resume(),
    done,
  };
}
