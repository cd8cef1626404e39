/**
 * The turn loop: the only interpreter of a conversation's actions. It owns order, limits, the single terminal event and
 * the end of the process tree. `ending.ts` has the ways out, `saying.ts` what becomes an event.
 */

import { TurnoutError, type TurnErrorCode } from '../contract/error.js';
import type { Event, StartEvent } from '../contract/event.js';
import type { Frame } from '../contract/frame.js';
import type { JsonObject } from '../contract/vocabulary.js';
import type { Action, Conversation, Heard, Outcome } from '../runner/action.js';
import type { Machine } from '../runner/machine.js';
import type { Invocation, Runner } from '../runner/runner.js';
import { type Admitted, startReport } from './admission.js';
import { calls, type Toolbox } from './calls.js';
import { ending, type Stop } from './ending.js';
import { resultText } from './frames.js';
import { ledger } from './ledger.js';
import { limitTimers } from './limits.js';
import { permissions } from './permissions.js';
import { retries } from './retries.js';
import { saying } from './saying.js';
import { stderrTail } from './stderr-tail.js';
import type { Child, Tap, World } from './world.js';

export interface TurnLimits {
  /** Milliseconds; 0 is none. */
  timeoutMs: number;
  idleMs: number;
  startupMs: number;
}

/** Our MCP server's side of a turn; absent without caller tools. */
export interface TurnTools {
  toolbox: Toolbox;
  /** A message from the runtime's own pipe. */
  receive(channel: string, message: JsonObject): void;
  /** Told by the loop how to run a call and how to send into the runtime's pipe. */
  attach(host: {
    call(key: string, name: string, args: JsonObject, answer: (ok: boolean, text: string) => void): void;
    withdraw(key: string): void;
    send(channel: string, message: JsonObject): void;
  }): void;
  /** Whether somebody asked for the tools; null when the door can't tell. */
  listed(): boolean | null;
}

export interface TurnInput {
  runner: Runner;
  admitted: Admitted;
  machine: Machine;
  invocation: Invocation;
  conversation: Conversation;
  limits: TurnLimits;
  world: World;
  tools: TurnTools | null;
  /** Takes events in order; back-pressure goes through `pause` and `resume`. */
  emit(event: Event): void;
  tap?: Tap;
  /** Masks secrets in messages. */
  mask(text: string): string;
  /** Notices that are due right after `start`. */
  notices: readonly string[];
}

export interface Turn {
  frame(frame: Frame): void;
  badFrame(message: string, id: string | null): void;
  stdinClosed(): void;
  /** A second call skips the waiting. */
  cancel(): void;
  notice(message: string): void;
  /** A fault of our own, seen outside the turn. */
  fault(message: string): void;
  pause(): void;
  resume(): void;
  /** The exit code, once `done` was emitted. */
  done: Promise<number>;
}

/** Runs one admitted turn. Never rejects: a fault of our own ends as `runner-error`. */
export function runTurn(input: TurnInput): Turn {
  const { runner, world, conversation, tools } = input;
  const { request } = input.admitted;
  const began = world.now();
  const stderr = stderrTail();
  const spent = ledger();
  const retried = retries();
  let child: Child | null = null;
  let gone = false;
  let paused = false;
  let finished: Outcome | null = null;
  let respawn: Invocation | null = null;
  let toldOfDoor = false;
  let launching: Promise<void> | null = null;

  const emit = (event: Event) => {
    if (end.over()) return;
    input.tap?.({ k: 'event', event });
    input.emit(event);
  };
  const notice = (message: string) => say.say({ type: 'notice', message });
  const say = saying({ runner, request, world, emit, failSession: (message) => fail('session-not-found', message) });
  const toolCalls = calls({
    toolbox: tools?.toolbox ?? { declared: () => undefined, names: () => [], violation: () => null },
    timeoutMs: request.toolTimeoutMs,
    after: world.after,
    emit(event) {
      if (event.type === 'tool_call') say.rounds.toolStart();
      else say.rounds.toolEnd();
      emit(event);
    },
    notice,
  });
  const asked = permissions({
    bench: {
      level: request.access,
      writesInside: request.sandbox === 'workspace-write',
      bashPrefixes: request.allowBashPrefix,
      mcpServers: request.mcpServers.map((server) => server.name),
      inside(path) {
        const inside = world.inside(path);
        input.tap?.({ k: 'inside', path, inside });
        return inside;
      },
    },
    asksHost: request.approvals === 'stdio',
    emit,
  });
  const timers = limitTimers({
    world,
    limits: input.limits,
    waitsForReady: request.mcpServers.length > 0 || request.settings.length > 0,
    busy: () => toolCalls.open() > 0 || asked.open() > 0 || say.activities.open() > 0,
    expired: (reason) => {
      if (reason === 'startup') stop({ kind: 'error', code: 'runner-error', message: startupMessage(), reason });
      else stop({ kind: 'timeout', reason });
    },
  });
  const end = ending({
    runner,
    request,
    world,
    emit,
    say,
    calls: toolCalls,
    permissions: asked,
    ledger: spent,
    stderr,
    began,
    mask: input.mask,
    child: () => (gone ? null : child),
    tree: () => child,
    launching: () => launching,
    hear: (heard) => hear(heard),
  });

  const startupMessage = () => `${runner.id} was not ready within ${input.limits.startupMs} ms`;
  const stop = (how: Stop) => {
    timers.clear();
    end.stop(how);
  };
  const fail = (code: TurnErrorCode, message: string) => stop({ kind: 'error', code, message });

  /** A fault of ours must not leave a turn without its end. */
  const guarded = (run: () => void) => {
    try {
      run();
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      fail('runner-error', `turnout itself failed: ${message}`);
    }
  };
  const hear = (heard: Heard) => {
    guarded(() => {
      for (const action of conversation.hear(heard)) perform(action);
    });
  };

  const write = (text: string, tap: 'in' | 'feed') => {
    input.tap?.(tap === 'in' ? { k: 'in', line: text } : { k: 'feed', text });
    if (!gone) child?.write(tap === 'in' ? `${text}\n` : text);
  };

  const perform = (action: Action): void => {
    switch (action.do) {
      case 'say':
        if (finished) return;
        say.say(action.event);
        if (action.event.type === 'ready' || action.event.type === 'assistant') timers.ready();
        checkRounds();
        checkDoor(action.event.type);
        return;
      case 'write':
        return write(action.line, 'in');
      case 'feed':
        return write(action.text, 'feed');
      case 'end-stdin':
        return gone ? undefined : child?.endStdin();
      case 'mcp':
        input.tap?.({ k: 'mcp', dir: 'from-agent', channel: action.channel, message: action.message });
        return tools?.receive(action.channel, action.message);
      case 'call':
        begin(action.key, action.name, action.args, (ok, text) => hear({ type: 'answer', key: action.key, ok, text }));
        return;
      case 'ask':
        return asked.ask(action.key, action.question, (choice, message) =>
          hear({ type: 'decision', key: action.key, choice, message }),
        );
      case 'withdraw':
        asked.withdraw(action.key);
        return toolCalls.withdraw(action.key);
      case 'spend': {
        const due = spent.spend(action.scope, action.spent);
        if (due && !end.stopping()) emit(due);
        return checkBudget();
      }
      case 'baseline':
        return spent.baseline(action.scope, action.spent);
      case 'round':
        say.rounds.message(action.id);
        return checkRounds();
      case 'model':
        say.models.add(action.id);
        return;
      case 'retrying': {
        say.retry(action);
        timers.waiting(action.delayMs);
        const code = retried.tooMany(action);
        if (code !== null) fail(code, action.message);
        return;
      }
      case 'steered':
        return say.steered(action.id, action.delivered);
      case 'spawn':
        respawn = action.invocation;
        if (gone) void start();
        return;
      case 'unread':
        input.tap?.({ k: 'unread', line: action.text });
        return;
      case 'finish':
        return finish(action.outcome);
      default: {
        const never: never = action;
        throw new Error(`unknown action ${JSON.stringify(never)}`);
      }
    }
  };

  const finish = (outcome: Outcome) => {
    if (finished) return;
    finished = outcome;
    timers.clear();
    end.finished(outcome);
  };
  const checkBudget = () => {
    const cost = spent.totals().cost_usd;
    if (request.budgetUsd === null || cost === null || cost <= request.budgetUsd || end.stopping()) return;
    stop({ kind: 'budget', message: `the turn has cost $${cost}, more than the budget of $${request.budgetUsd}` });
  };
  const checkRounds = () => {
    if (request.maxTurns === null || end.stopping() || say.rounds.count() <= request.maxTurns) return;
    stop({ kind: 'max_turns' });
  };
  /** An agent that speaks before it asked for the caller's tools will not have them. */
  const checkDoor = (type: string) => {
    if (toldOfDoor || type !== 'assistant' || tools === null || tools.toolbox.names().length === 0) return;
    toldOfDoor = true;
    if (tools.listed() === false) notice(`${runner.id} did not ask for the caller's tools; it may not offer them`);
  };
  const begin = (key: string, name: string, args: JsonObject, answer: (ok: boolean, text: string) => void) => {
    if (end.stopping() || finished) return answer(false, 'ERROR: exec terminated');
    timers.alive();
    toolCalls.begin(key, name, args, (ok, text) => {
      timers.alive();
      answer(ok, text);
    });
    checkRounds();
  };

  const ears = {
    line(text: string) {
      timers.alive();
      input.tap?.({ k: 'out', line: text });
      hear({ type: 'line', text });
    },
    dropped(bytes: number) {
      timers.alive();
      input.tap?.({ k: 'dropped', bytes });
      notice(`${runner.id} printed a line of ${bytes} bytes, which was dropped`);
    },
    stderr(text: string) {
      timers.alive();
      input.tap?.({ k: 'err', line: text });
      stderr.add(text);
      hear({ type: 'stderr', text });
    },
    exit(code: number | null, signal: string | null, files: Readonly<Record<string, string | null>>) {
      gone = true;
      input.tap?.({ k: 'exit', code, signal, files });
      hear({ type: 'exit', code, signal, files });
      if (respawn && !end.stopping() && !finished) {
        spent.newProcess();
        void start();
        return;
      }
      timers.clear();
      end.exited(code, signal);
    },
  };

  const startEvent = (pid: number | null): StartEvent => ({
    v: 1,
    type: 'start',
    runtime: runner.id,
    runtime_version: input.machine.program.version,
    ...(request.model === null ? {} : { model: request.model }),
    cwd: request.cwd,
    ...(request.resume === null ? {} : { resume: request.resume }),
    pid: process.pid,
    ...(pid === null ? {} : { child_pid: pid }),
    access: request.access,
    ...startReport(input.admitted.report),
    settings_loaded: [...new Set([...request.settings, ...runner.settingsLoaded])],
    ...(input.admitted.sandboxRequested === null ? {} : { sandbox_requested: input.admitted.sandboxRequested }),
    ...(input.admitted.sandboxApplied === null ? {} : { sandbox_applied: input.admitted.sandboxApplied }),
    streams_incrementally: runner.streamsIncrementally,
  });

  let started = false;
  const start = (): Promise<void> => {
    launching = startOne().finally(() => {
      launching = null;
    });
    return launching;
  };
  const startOne = async (): Promise<void> => {
    const invocation = respawn ?? input.invocation;
    respawn = null;
    try {
      if (end.stopping()) throw new TurnoutError('cancelled', 'cancelled before the start');
      const launched = await world.launch(invocation, ears);
      child = launched;
      gone = false;
      if (paused) launched.pause();
      if (!started) {
        started = true;
        emit(startEvent(launched.pid));
        for (const message of input.notices) notice(message);
        if (request.mcpServers.length > 0 || request.settings.length > 0) say.initializing();
      }
      if (!end.stopping()) hear({ type: 'spawned' });
    } catch (error) {
      if (!started) emit(startEvent(null));
      started = true;
      const known = error instanceof TurnoutError;
      const message = error instanceof Error ? error.message : String(error);
      end.never(known ? error.code : 'runner-error', message, known ? error.hint : undefined);
    }
  };

  tools?.attach({
    call: begin,
    withdraw: (key) => toolCalls.withdraw(key),
    send(channel, message) {
      input.tap?.({ k: 'mcp', dir: 'to-agent', channel, message });
      hear({ type: 'mcp', channel, message });
    },
  });
  timers.start();
  void start();

  const frame = (one: Frame) => {
    if (end.over()) return;
    input.tap?.({ k: 'frame', frame: one });
    switch (one.type) {
      case 'cancel':
        return cancel();
      case 'tool_result': {
        const text = resultText(one.result);
        const settled = toolCalls.settle(one.id, one.ok, one.ok ? text : `ERROR: ${text}`);
        if (!settled) badFrame(`tool_result for ${one.id}: no such call is open`, null);
        return;
      }
      case 'permission_result':
        if (!asked.decide(one)) badFrame(`permission_result for ${one.id}: no such question is open`, null);
        return;
      case 'steer':
        if (!runner.steer || end.stopping() || finished) return say.steered(one.id, false);
        return hear({ type: 'steer', id: one.id, text: one.text });
      default: {
        const never: never = one;
        throw new Error(`unknown frame ${JSON.stringify(never)}`);
      }
    }
  };
  const badFrame = (message: string, id: string | null) => {
    if (end.over()) return;
    end.badFrame(message);
    if (id !== null && toolCalls.isOpen(id)) toolCalls.settle(id, false, 'ERROR: bad tool_result frame');
  };
  const cancel = () => {
    timers.clear();
    end.stop({ kind: 'cancelled' });
  };

  return {
    frame,
    badFrame(message, id) {
      input.tap?.({ k: 'bad-frame', message, id });
      badFrame(message, id);
    },
    stdinClosed() {
      input.tap?.({ k: 'stdin-closed' });
      toolCalls.close('ERROR: caller closed stdin');
      asked.close('ERROR: caller closed stdin');
    },
    cancel,
    notice,
    fault: (message) => fail('runner-error', `turnout itself failed: ${message}`),
    pause() {
      paused = true;
      if (!gone) child?.pause();
    },
    resume() {
      paused = false;
      if (!gone) child?.resume();
    },
    done: end.done,
  };
}
