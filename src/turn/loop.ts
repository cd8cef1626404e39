/**
 * The turn loop: the only interpreter of a conversation's actions. It owns order, limits and the single terminal event.
 * `processes.ts` has what runs, `ending.ts` the ways out, `emitter.ts` what becomes an event.
 */

import { type TurnErrorCode, TurnoutError } from '../contract/error.js';
import type { NoticeCode } from '../contract/vocabulary.js';
import type { Action, Heard, Outcome } from '../runner/action.js';
import { faultMessage } from '../runner/fault.js';
import { jsonLine } from '../text/json-line.js';
import type { RunCall } from './caller-tools.js';
import { awaitsServers } from './emitter.js';
import { ending, type Stop } from './ending.js';
import { gate } from './event-order.js';
import { type Hosted, hosted } from './host-input.js';
import type { TurnInput } from './input.js';
import { limitTimers, startupText, type TurnLimits } from './limits.js';
import { listening } from './listening.js';
import { oversight } from './oversight.js';
import { parts } from './parts.js';
import { processes } from './processes.js';
import { startEvent } from './start-event.js';
import { wanting } from './wanting.js';

export type { TurnInput, TurnLimits };

/** Said only once a runtime works on the prompt, or once all is ready for it. */
const SIGNS: ReadonlySet<string> = new Set(['ready', 'assistant', 'thinking', 'tool_activity', 'subagent', 'plan']);

/** The handle of a turn on this machine; the one that surfaces, hosts and recordings hold. */
export interface Turn extends Hosted {
  /** A second call skips the waiting. */
  cancel(): void;
  notice(code: NoticeCode, message: string): void;
  /** A fault of our own, seen outside the turn. */
  fault(message: string): void;
  pause(): void;
  resume(): void;
  /** The exit code, once `done` was emitted. */
  done: Promise<number>;
}

/** Runs one admitted turn. Never rejects: a fault of our own ends as `runner-error`. */
export function runTurn(input: TurnInput): Turn {
  const { runner, world, conversation, tools, tap } = input;
  const { request } = input.admitted;
  const extras = awaitsServers(request);
  let finished: Outcome | null = null;
  let started = false;
  let tellsPhases = false;

  const out = gate({
    sealed: () => end.sealed(),
    over: () => end.over(),
    send(event) {
      tap?.({ k: 'event', event });
      input.emit(event);
    },
  });
  const { emit } = out;
  const fail = (code: TurnErrorCode, message: string) => stop({ kind: 'error', code, message });
  const of = parts(input, emit, fail);
  const { say, ledger } = of;
  const notice = (code: NoticeCode, message: string) => say.say({ type: 'notice', code, message });
  const timers = limitTimers({
    world,
    limits: input.limits,
    startupMs: runner.startupMs,
    held: () => run.paused(),
    busy: () => of.waiting() || say.activities.open() > 0,
    expired(what) {
      const { reason } = what;
      stop({ kind: 'timeout', reason, ...(reason === 'startup' ? { message: startupText(runner.id, what) } : {}) });
    },
  });
  const listens = listening({
    runner,
    of,
    tap,
    alive: timers.alive,
    hear: (heard) => hear(heard),
    fail,
    finished: () => finished !== null,
  });
  const run = processes({
    world,
    stopping: () => end.stopping(),
    handlers: listens.handlers,
    started(child) {
      const first = !started;
      if (first) begin(child.pid);
      if (end.stopping()) return;
      timers.phase(null);
      hear({ type: 'spawned' });
      // Of what does not tell its phases, only extra servers or settings are known to take time.
      if (first && extras && !tellsPhases && !finished) timers.phase('servers');
    },
    failed(error) {
      if (!started) begin(null);
      const known = error instanceof TurnoutError;
      const message = error instanceof Error ? error.message : String(error);
      end.never(known ? error.code : 'runner-error', message, known ? error.hint : undefined);
    },
    heard(code, signal, files) {
      tap?.({ k: 'exit', code, signal, files });
      hear({ type: 'exit', code, signal, files });
    },
    followed: () => ledger.newProcess(),
    exited(code, signal) {
      timers.clear();
      end.exited(code, signal);
    },
  });
  const end = ending({
    runner,
    request,
    world,
    emit,
    of,
    began: world.now(),
    mask: input.mask,
    credential: input.machine.credential,
    run,
    hear: (heard) => hear(heard),
    keep(living, outcome) {
      const kept = (run.single() && input.keep?.(living, outcome)) || null;
      if (kept) tap?.({ k: 'kept' });
      return kept;
    },
  });
  const begin = (pid: number | null) => {
    started = true;
    out.open(startEvent(runner, input.admitted, input.machine, pid, pid !== null && input.living !== undefined), () => {
      if (pid === null) return;
      for (const { code, message } of input.notices) notice(code, message);
      if (extras) say.initializing();
    });
  };
  const stop = (how: Stop) => {
    timers.clear();
    end.stop(how);
  };
  input.wire?.listen((model) => {
    if (model !== null) say.models.add(model);
    watch.spent();
  });
  const watch = oversight({ input, of, stopping: () => end.stopping(), stop, fail, notice });

  /** A fault of ours must not leave a turn without its end. */
  const hear = (heard: Heard) => {
    try {
      for (const action of conversation.hear(heard)) perform(action);
    } catch (error) {
      fail('runner-error', faultMessage(error));
    }
  };
  const call: RunCall = (key, name, args, answer) => {
    if (end.stopping() || finished) return answer(false, 'ERROR: exec terminated');
    timers.alive();
    of.calls.begin(key, name, args, (ok, text) => {
      timers.alive();
      answer(ok, text);
    });
    watch.called();
    watch.rounds();
  };
  const want = wanting(of, call, (heard) => hear(heard));
  const perform = (action: Action): void => {
    switch (action.do) {
      case 'say':
        if (finished) return;
        if (SIGNS.has(action.event.type)) timers.phase(null);
        return watch.say(action.event);
      case 'write':
        tap?.({ k: 'in', line: of.inquiries.mask(jsonLine(action.line)) });
        return run.child()?.write(`${jsonLine(action.line)}\n`);
      case 'feed':
        tap?.({ k: 'feed', text: action.text });
        return run.child()?.write(action.text);
      case 'end-stdin':
        return run.child()?.endStdin();
      case 'mcp':
        tap?.({ k: 'mcp', dir: 'from-agent', channel: action.channel, message: action.message });
        return tools?.receive(action.channel, action.message);
      case 'call':
      case 'ask':
      case 'inquire':
      case 'withdraw':
        return want(action);
      case 'spend': {
        const due = ledger.spend(action.scope, action.spent);
        if (due) emit(due);
        return watch.spent();
      }
      case 'baseline':
        return ledger.baseline(action.scope, action.spent);
      case 'round':
        say.rounds.message(action.id);
        return watch.rounds();
      case 'model':
        say.models.add(action.id);
        return;
      case 'retrying': {
        if (end.stopping()) return;
        say.retry(action);
        timers.waiting(action.delayMs);
        const code = of.retries.tooMany(action);
        return code === null ? undefined : fail(code, action.why ?? action.message);
      }
      case 'wake':
        world.after(action.afterMs, () => (finished || end.over() ? undefined : hear({ type: 'woken' })));
        return;
      case 'steered':
        return say.steered(action.id, action.delivered);
      case 'between':
        return run.between();
      case 'spawn':
        timers.phase('spawn');
        return run.next(action.invocation);
      case 'phase':
        tellsPhases = true;
        return timers.phase(action.phase);
      case 'unread':
        return listens.unread(action.text);
      case 'finish':
        if (finished) return;
        finished = action.outcome;
        timers.clear();
        return end.finished(action.outcome, action.living ?? null);
      default: {
        const never: never = action;
        throw new Error(`unknown action ${JSON.stringify(never)}`);
      }
    }
  };
  const cancel = () => {
    if (!end.over()) tap?.({ k: 'frame', frame: { type: 'cancel' } });
    stop({ kind: 'cancelled' });
  };
  tools?.attach({
    call,
    withdraw: (key) => of.calls.withdraw(key),
    send(channel, message) {
      tap?.({ k: 'mcp', dir: 'to-agent', channel, message });
      hear({ type: 'mcp', channel, message });
    },
  });
  if (input.living) tap?.({ k: 'living', state: input.living });
  timers.start();
  timers.phase('spawn');
  run.start(input.invocation);

  return {
    ...hosted({
      runner,
      parts: of,
      tap,
      over: end.over,
      late: () => end.stopping() || finished !== null,
      hear,
      cancel,
      complain: end.badFrame,
    }),
    cancel,
    notice,
    fault: (message) => fail('runner-error', `turnout itself failed: ${message}`),
    pause: run.pause,
    resume: run.resume,
    done: end.done,
  };
}
