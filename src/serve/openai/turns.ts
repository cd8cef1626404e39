/**
 * Turns that requests are being answered from. A turn that waits for its caller's tools outlives the request: it is
 * suspended until another request brings the results, or for so long that nobody will.
 */

import type { ToolCallEvent } from '../../contract/event.js';
import type { Core } from '../../runs/core.js';
import type { Attendance, Caller } from '../../runs/ports.js';
import type { RunRecord } from '../../runs/records.js';
import { ApiError } from './failure.js';
import { beginStep, type Step, type StepEnd } from './steps.js';

export interface TurnOptions {
  run: RunRecord;
  caller: Caller;
  attendance: Attendance | null;
  /** Whether several calls may be asked for at once. */
  parallel: boolean;
  /** Whether the runtime asks for several at once. */
  gathers: boolean;
  /** It goes on when nobody reads it. */
  detach: boolean;
}

/** One request that reads a turn. */
export interface Reader {
  /** @param graceMs how long the turn goes on when nobody else reads it: the caller may come back */
  leave(graceMs?: number): void;
}

export interface OpenTurn {
  readonly run: RunRecord;
  readonly caller: Caller;
  /** The first step. */
  readonly first: Step;
  read(): Reader;
  /** The step that a call of this turn belongs to; null for one that was never asked for. */
  stepOf(call: string): AskedStep | null;
}

/** A step that ended with calls. */
export interface AskedStep {
  readonly calls: readonly ToolCallEvent[];
  /** How the results were answered, once they were given. */
  next: Promise<Step> | null;
  /** Begins the next step, once the results are on their way. */
  goOn(): Step;
}

export interface Turns {
  open(options: TurnOptions): OpenTurn;
  get(run: string): OpenTurn | null;
  /** Turns of a caller that wait for its tools. */
  suspended(principal: string): number;
  close(): void;
}

export interface TurnsOptions {
  core: Core;
  /** How long a turn waits for its caller's tools, milliseconds. */
  suspendMs: number;
  /** How long the answer of a turn that is over can be had again, milliseconds. */
  keepMs?: number;
}

const KEEP_MS = 5 * 60_000;

export const expired = (): ApiError =>
  new ApiError(
    410,
    'tool_call_expired',
    'The turn that asked for this tool is over. Send the conversation again without the call and its result.',
  );

export function turns({ core, suspendMs, keepMs = KEEP_MS }: TurnsOptions): Turns {
  const open = new Map<string, OpenTurn>();
  const waiting = new Map<string, string>();
  const timers = new Set<NodeJS.Timeout>();

  function later(ms: number, work: () => void): () => void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timer.unref();
    timers.add(timer);
    return () => {
      clearTimeout(timer);
      timers.delete(timer);
    };
  }

  function make(options: TurnOptions): OpenTurn {
    const { run, caller, attendance, parallel, gathers, detach } = options;
    const id = run.run_id;
    const asked = new Map<string, AskedStep>();
    let readers = 0;
    let over = false;
    let wake = () => {};
    let away = () => {};

    function begin(after: number, queued: readonly ToolCallEvent[]): Step {
      const step = beginStep(core, caller, { run: id, after, queued, parallel, gathers });
      step.end.then(
        (end) => ended(end),
        () => finish(),
      );
      return step;
    }
    function ended({ calls, last, queued }: StepEnd): void {
      if (calls === null) return finish();
      const step: AskedStep = {
        calls,
        next: null,
        goOn() {
          wake();
          waiting.delete(id);
          return begin(last, queued);
        },
      };
      for (const call of calls) asked.set(call.id, step);
      waiting.set(id, caller.principal.name);
      wake = later(suspendMs, () => {
        waiting.delete(id);
        attendance?.leave();
        void core.runs.send(id, { type: 'cancel', cause: 'disconnect' }, caller).catch(() => {});
      });
    }
    function finish(): void {
      over = true;
      away();
      waiting.delete(id);
      attendance?.leave();
      later(keepMs, () => open.delete(id));
    }
    function unread(graceMs: number): void {
      if (readers > 0 || over || waiting.has(id) || detach) return;
      if (graceMs === 0) return attendance?.leave();
      away = later(graceMs, () => unread(0));
    }
    return {
      run,
      caller,
      first: begin(0, []),
      read() {
        away();
        readers += 1;
        let reads = true;
        return {
          leave(graceMs = 0) {
            if (!reads) return;
            reads = false;
            readers -= 1;
            unread(graceMs);
          },
        };
      },
      stepOf: (call) => asked.get(call) ?? null,
    };
  }
  return {
    open(options) {
      const known = open.get(options.run.run_id);
      if (known) {
        // One more caller of the same run: the first one's attendance holds it.
        options.attendance?.leave();
        return known;
      }
      const made = make(options);
      open.set(options.run.run_id, made);
      return made;
    },
    get: (run) => open.get(run) ?? null,
    suspended: (principal) => [...waiting.values()].filter((one) => one === principal).length,
    close() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
