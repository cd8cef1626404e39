/**
 * A turn is answered in steps: one request gets what the agent says until it waits for the caller's tools, or ends. Where a
 * step ends is decided once, so that a request that is sent twice gets the same answer twice.
 */

import type { ToolCallEvent } from '../../contract/event.js';
import type { Core } from '../../runs/core.js';
import type { Caller } from '../../runs/ports.js';
import type { LogEntry } from '../../runs/records.js';
import { asCall } from './asked-calls.js';
import { type Piece, translator } from './pieces.js';

/** Calls that come within this time of each other are asked for together, milliseconds. */
const GATHER_MS = 150;

export interface StepEnd {
  /** The last entry that belongs to the step. */
  last: number;
  /** What the turn waits for; null: it is over. */
  calls: readonly ToolCallEvent[] | null;
  /** Calls that are kept for the next steps. */
  queued: readonly ToolCallEvent[];
}

export interface Step {
  run: string;
  /** The last entry that was part of an earlier step. */
  after: number;
  readonly end: Promise<StepEnd>;
}

export interface StepOptions {
  run: string;
  after: number;
  /** Calls that an earlier step kept back. */
  queued: readonly ToolCallEvent[];
  /** Whether several calls may be asked for at once. */
  parallel: boolean;
  /** Whether the runtime asks for several at once, so that others may follow. */
  gathers: boolean;
}

async function decide(core: Core, caller: Caller, options: StepOptions): Promise<StepEnd> {
  const { run, after, parallel, gathers } = options;
  const open = new Map(options.queued.map((call) => [call.id, call]));
  let last = after;
  const waits = (): StepEnd => {
    const calls = [...open.values()];
    return parallel ? { last, calls, queued: [] } : { last, calls: calls.slice(0, 1), queued: calls.slice(1) };
  };
  if (open.size > 0) return waits();
  const quiet = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const one of core.log.follow(run, { after, follow: true, signal: quiet.signal }, caller)) {
      if ('gap' in one) {
        last = one.gap.to;
        continue;
      }
      last = one.entry.seq;
      const { event } = one.entry;
      if (event.type === 'done') return { last, calls: null, queued: [] };
      const call = asCall(event);
      const settled =
        event.type === 'tool_result' ? event.id : event.type === 'status' ? event.question?.id : undefined;
      if (settled !== undefined) open.delete(settled);
      if (call) open.set(call.id, call);
      if (call === null && settled === undefined) continue;
      clearTimeout(timer);
      if (open.size > 0) timer = setTimeout(() => quiet.abort(), gathers ? GATHER_MS : 0);
    }
    return waits();
  } finally {
    clearTimeout(timer);
  }
}

export function beginStep(core: Core, caller: Caller, options: StepOptions): Step {
  const end = decide(core, caller, options);
  // Whoever reads the step hears of a failure; nobody else need to.
  end.catch(() => {});
  return { run: options.run, after: options.after, end };
}

/** The entries of a step, as they come. Nothing behind a call is read before it is known where the step ends. */
async function* entriesOf(core: Core, caller: Caller, step: Step, signal: AbortSignal): AsyncGenerator<LogEntry> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  let seen = step.after;
  let limit = Number.POSITIVE_INFINITY;
  const ended = step.end.then(({ last }) => {
    limit = last;
    if (seen >= limit) stop.abort();
  });
  ended.catch(() => stop.abort());
  const left = new Promise<void>((resolve) => {
    either.addEventListener('abort', () => resolve(), { once: true });
  });
  const how = { after: step.after, follow: true, signal: either, holds: true };
  for await (const one of core.log.follow(step.run, how, caller)) {
    if ('gap' in one) {
      seen = one.gap.to;
      continue;
    }
    if (one.entry.seq > limit) return;
    seen = one.entry.seq;
    yield one.entry;
    if (asCall(one.entry.event)) await Promise.race([ended, left]);
    if (seen >= limit) return;
  }
}

/**
 * The answer of a step; ends early when the signal is aborted.
 * @param whole as in `translator`
 * @throws {CoreError}
 */
export async function* piecesOf(
  core: Core,
  caller: Caller,
  step: Step,
  { whole, signal }: { whole: boolean; signal: AbortSignal },
): AsyncGenerator<Piece, void> {
  const translate = translator(whole);
  for await (const { event } of entriesOf(core, caller, step, signal)) yield* translate.hear(event);
  if (signal.aborted) return;
  const { calls } = await step.end;
  if (calls !== null) yield translate.waits(calls);
}
