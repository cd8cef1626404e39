/** The ways out of a turn. Whatever ends it, the tree is gone before `done`, and `done` comes once. */

import { ERROR_CODES, type ErrorCode, type TimeoutReason } from '../contract/error.js';
import type { ErrorEvent, Event } from '../contract/event.js';
import { GRACE } from '../contract/limits.js';
import type { Credential, JsonObject, StopReason } from '../contract/vocabulary.js';
import type { Heard, Outcome, StopCause } from '../runner/action.js';
import type { TurnRequest } from '../runner/request.js';
import type { Runner } from '../runner/runner.js';
import { unchecked } from './budgets.js';
import { clampMessage } from './clamp.js';
import { complaint, endedBy, loginAdvice, timeoutText, unreadText } from './ending-words.js';
import { resultEvent } from './final.js';
import { asksForLogin } from './login-prompt.js';
import type { Parts } from './parts.js';
import type { Processes } from './processes.js';
import { whenAgain } from './when-again.js';
import type { World } from './world.js';

/** Why we end a turn that would go on by itself. */
export type Stop =
  | { kind: 'cancelled' }
  | { kind: 'timeout'; reason: TimeoutReason; message?: string }
  | { kind: 'budget'; message: string }
  | { kind: 'max_turns' }
  | { kind: 'error'; code: ErrorCode; message: string };

export interface Ending {
  stop(how: Stop): void;
  /** @param living what the next turn must know of the program, if it may live on */
  finished(outcome: Outcome, living: JsonObject | null): void;
  exited(code: number | null, signal: string | null): void;
  /** Nothing could be started. */
  never(code: ErrorCode, message: string, hint: string | undefined): void;
  badFrame(message: string): void;
  stopping(): boolean;
  /** `result` or `error` went out. */
  sealed(): boolean;
  over(): boolean;
  done: Promise<number>;
}

/** What an open call is answered with, whoever or whatever ends the turn. */
const TERMINATED = 'ERROR: exec terminated';

/** Nothing a runtime does may keep us past this, after KILL. */
const LAST_RESORT_MS = 400;

export function ending(turn: {
  runner: Runner;
  request: TurnRequest;
  world: World;
  emit(event: Event): void;
  of: Parts;
  began: number;
  mask(text: string): string;
  /** What the program logs in with, as far as it is known. */
  credential: Credential | undefined;
  run: Processes;
  hear(heard: Heard): void;
  /**
   * Gives the program away for the next turn; null when it has to end.
   * @param outcome null when the turn was ended by us
   */
  keep(living: JsonObject, outcome: Outcome | null): Promise<void> | null;
}): Ending {
  const { runner, request, world, emit, run } = turn;
  const { say } = turn.of;
  let stopped: Stop | null = null;
  let told = false;
  let leaving = false;
  let asking = false;
  /** The program is somebody else's now. */
  let kept = false;
  let over = false;
  let sealed = false;
  let verdict: { exit: number; stopReason: StopReason } | null = null;
  let forget = () => {};
  let settle: (code: number) => void = () => {};
  const done = new Promise<number>((resolve) => {
    settle = resolve;
  });

  const errorEvent = (code: ErrorCode, message: string, rest: Partial<ErrorEvent> = {}): ErrorEvent => {
    const { text, cut } = clampMessage(turn.mask(message));
    return {
      v: 1,
      type: 'error',
      code,
      message: text,
      fatal: ERROR_CODES[code].fatal,
      ...rest,
      ...(cut ? { message_truncated: true } : {}),
    };
  };
  const closeOpen = (why: string) => {
    turn.of.calls.ending(why);
    turn.of.permissions.close(why);
    turn.of.inquiries.close();
    turn.of.calls.close(why);
    say.closeAll();
    const usage = turn.of.ledger.last();
    if (usage) emit(usage);
  };
  const failure = (given: ErrorCode, message: string, rest: Partial<ErrorEvent> = {}) => {
    told = true;
    const code = given === 'runner-error' && turn.of.silent() ? (complaint(turn.of.stderr.text()) ?? given) : given;
    closeOpen(TERMINATED);
    // A timeout in silence is explained by what else was printed.
    const silent = code === 'timeout' && turn.of.silent();
    const tail = given === 'runner-error' || silent ? turn.of.stderr.text() : '';
    const asks = code === 'auth' || (silent && asksForLogin(tail));
    const login = (asks ? runner.loginHint : null) ?? undefined;
    let full = message;
    const unread = turn.of.unread.told();
    // Told in words where the runtime itself told no reason.
    if (unread !== null && (code === 'runner-error' || code === 'timeout')) full += `\n${unreadText(unread)}`;
    if (tail !== '' && !full.includes(tail)) full += `\n${tail}`;
    if (login !== undefined && !full.includes(login))
      full += `${/[.!?\u2026]\s*$/.test(full) ? '' : '.'} ${loginAdvice(login, turn.credential)}`;
    emit(
      errorEvent(code, full, { ...(login ? { hint: login } : {}), ...(unread === null ? {} : { unread }), ...rest }),
    );
    const stopReason = code === 'cancelled' || code === 'timeout' || code === 'budget' ? code : 'error';
    sealed = true;
    verdict = { exit: ERROR_CODES[code].exit, stopReason };
  };
  const success = (outcome: Extract<Outcome, { ok: true }> | null, stopReason: StopReason) => {
    told = true;
    for (const message of unchecked(request, runner, turn.of.ledger.totals())) {
      say.say({ type: 'notice', code: 'budget-unchecked', message });
    }
    closeOpen(TERMINATED);
    emit(
      resultEvent({
        stopReason,
        outcome,
        final: say.messages.final(),
        incremental: runner.streamsIncrementally,
        totals: turn.of.ledger.totals(),
        launches: say.launches(),
        requestedModel: request.model,
        models: say.models,
      }),
    );
    sealed = true;
    verdict = { exit: stopReason === 'max_turns' ? 1 : 0, stopReason };
  };

  /** The last word, once the tree is gone. */
  const conclude = (survivors: readonly number[]) => {
    if (over) return;
    forget();
    if (!told && stopped) tellStop(stopped, survivors);
    const { exit, stopReason } = verdict ?? { exit: 1, stopReason: 'error' as const };
    emit({
      v: 1,
      type: 'done',
      exit_code: exit,
      stop_reason: stopReason,
      duration_ms: Math.max(0, Math.round(world.now() - turn.began)),
      ...(turn.of.ledger.known() ? { totals: turn.of.ledger.totals() } : {}),
    });
    over = true;
    settle(exit);
  };
  const tellStop = (stop: Stop, survivors: readonly number[]) => {
    const left = survivors.length > 0 ? ` These processes could not be ended: ${survivors.join(', ')}.` : '';
    switch (stop.kind) {
      case 'cancelled':
        return failure('cancelled', `The turn was cancelled.${left}`);
      case 'timeout':
        return failure('timeout', `${stop.message ?? timeoutText(runner.id, stop.reason)}${left}`, {
          reason: stop.reason,
        });
      case 'budget':
        return failure('budget', stop.message + left);
      case 'max_turns':
        return success(null, 'max_turns');
      case 'error':
        return failure(stop.code, stop.message + left);
      default: {
        const never: never = stop;
        throw new Error(String(never));
      }
    }
  };
  /** Ends the tree, however little is left of it, then concludes. */
  const endTree = (now: boolean) => {
    if (leaving && !now) return;
    leaving = true;
    forget();
    const tree = run.tree();
    if (!tree) return conclude([]);
    tree.endStdin();
    const termMs = GRACE.term;
    const killMs = GRACE.kill;
    forget = world.after(termMs + killMs + LAST_RESORT_MS, () => conclude([]));
    tree.end({ now, termMs, killMs }).then(
      ({ survivors }) => conclude(survivors),
      (error: unknown) => {
        if (!told && !stopped) failure('runner-error', error instanceof Error ? error.message : String(error));
        conclude([]);
      },
    );
  };
  /** @returns whether the program lives on without this turn */
  const handOver = (outcome: Outcome, living: JsonObject | null): boolean => {
    // Only what ended as its host wanted leaves a program in a known state.
    const fit = stopped === null || stopped.kind === 'cancelled' || stopped.kind === 'max_turns';
    const handed = living !== null && fit ? turn.keep(living, stopped ? null : outcome) : null;
    if (handed === null) return false;
    kept = true;
    forget();
    const last = () => conclude([]);
    handed.then(last, last);
    return true;
  };
  const leaveSoon = (ms: number) => {
    forget();
    forget = world.after(ms, () => endTree(false));
  };

  return {
    done,
    stopping: () => stopped !== null,
    over: () => over,
    sealed: () => sealed,
    stop(how) {
      if (over || kept) return;
      if (stopped !== null || told) {
        // Asked again, or asked while the tree is on its way out: no more waiting.
        if (how.kind === 'cancelled') endTree(true);
        return;
      }
      stopped = how;
      turn.of.calls.ending(TERMINATED);
      // A slow reader must not hide the runtime's end from us.
      run.tree()?.resume();
      const cause: StopCause = how.kind;
      const pending = run.launching();
      if (pending) {
        // A launch that hangs itself must not keep the turn.
        leaveSoon(GRACE.ask);
        return void pending.then(() => endTree(false));
      }
      if (!run.child()) return endTree(false);
      leaveSoon(GRACE.ask);
      turn.of.permissions.close(TERMINATED);
      turn.of.inquiries.close();
      asking = true;
      turn.hear({ type: 'stop', cause });
      asking = false;
    },
    finished(outcome, living) {
      if (over || told) return;
      if (stopped) {
        if (!asking && handOver(outcome, living)) return;
        // Nothing to ask it for: it listens to signals alone.
        if (asking) return endTree(false);
        // It did what it was asked: the rest of the asking time is for its exit.
        run.child()?.endStdin();
        return;
      }
      if (!outcome.ok) {
        failure(outcome.code, outcome.message, whenAgain(outcome, world.wall()));
      } else if (
        !say.evidence() &&
        !turn.of.calls.any() &&
        !outcome.text &&
        !['max_tokens', 'refusal'].includes(outcome.stopReason)
      ) {
        failure('runner-error', `${runner.id} ended without an answer${endedBy(outcome.stopReason)}`);
      } else success(outcome, outcome.stopReason);
      if (!run.child()) return endTree(false);
      if (handOver(outcome, living)) return;
      run.child()?.endStdin();
      leaveSoon(GRACE.afterEnd);
    },
    exited(code, signal) {
      if (over || kept) return;
      if (!told && !stopped) {
        const how = signal !== null ? `was ended by ${signal}` : `exited with code ${code}`;
        failure('runner-error', `${runner.id} ${how} before it finished its answer`);
      }
      endTree(false);
    },
    never(code, message, hint) {
      if (over) return;
      if (!stopped) failure(code, message, hint === undefined ? {} : { hint });
      conclude([]);
    },
    badFrame(message) {
      if (!over) emit(errorEvent('bad-frame', message));
    },
  };
}
