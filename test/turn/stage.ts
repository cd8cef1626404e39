/** A turn on a stage: a scripted conversation, a clock that is moved by hand, a child that does as it is told. */

import type { Event } from '../../src/contract/event.js';
import type { Action, Conversation, Heard } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import type { Runner } from '../../src/runner/runner.js';
import { steersByName } from '../../src/text/steering.js';
import { admit } from '../../src/turn/admission.js';
import type { Toolbox } from '../../src/turn/calls.js';
import { runTurn, type Turn, type TurnLimits } from '../../src/turn/loop.js';
import type { ChildHandlers, Tap, World } from '../../src/turn/world.js';
import { machine, request } from '../runners/drive.js';

export interface Stage {
  turn: Turn;
  events: Event[];
  /** What the conversation heard, in order. */
  heard: Heard[];
  /** Lets the conversation act now, as the answer to a native line. */
  act(...actions: Action[]): void;
  handlers: ChildHandlers;
  exit(code?: number | null, signal?: string | null): void;
  /** Moves the clock; timers that are due run. */
  tick(ms: number): Promise<void>;
  written: string[];
  /** Calls of `end` on the process tree. */
  ends: { now?: boolean }[];
  types(): string[];
}

/** Lets everything that is ready run. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

export function runner(changes: Partial<Runner> = {}): Runner {
  return {
    id: 'test',
    title: 'Test agent',
    bins: ['agent'],
    packages: [],
    install: { kind: 'manual' },
    installHint: 'get it',
    loginHint: 'agent login',
    testedVersions: [],
    transport: 'test',
    streamsIncrementally: true,
    toolActivity: 'full',
    access: {
      scoped: { native_sandbox: 'restricted', approvals: 'on', asks: true, gaps: [] },
      full: { native_sandbox: 'none', approvals: 'off', gaps: [] },
    },
    sandbox: {},
    toolTransport: 'native',
    parallelCalls: true,
    resume: true,
    effort: true,
    maxTurns: false,
    reportsCost: true,
    silentRetries: false,
    promptInArgv: false,
    decidesPerCommand: true,
    steer: true,
    tellsServers: true,
    settingsLoaded: [],
    nesting: [],
    keys: [],
    tools: () => 'native',
    invoke: () => ({ argv: ['/bin/agent'], env: {}, stdin: 'hold', stdout: 'pipe' }),
    converse: () => ({ hear: () => [] }),
    ...changes,
  };
}

export async function stage(
  options: {
    request?: Partial<TurnRequest>;
    runner?: Partial<Runner>;
    machine?: Partial<Machine>;
    limits?: Partial<TurnLimits>;
    toolbox?: Toolbox;
    survivors?: number[];
    launch?: () => Promise<void>;
    /** Answers of the conversation to everything but native lines. */
    answer?: (heard: Heard) => Action[];
    tap?: Tap;
  } = {},
): Promise<Stage> {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  let next: Action[] = [];
  let handlers: ChildHandlers | null = null;
  const events: Event[] = [];
  const heard: Heard[] = [];
  const written: string[] = [];
  const ends: { now?: boolean }[] = [];
  const conversation: Conversation = {
    hear(one) {
      heard.push(one);
      if (one.type === 'line') {
        const actions = next;
        next = [];
        return actions;
      }
      return options.answer?.(one) ?? [];
    },
  };
  const world: World = {
    now: () => now,
    wall: () => null,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    inside: (path) => !path.startsWith('/') || path.startsWith('/project'),
    steers: steersByName,
    async launch(_invocation, given) {
      await options.launch?.();
      handlers = given;
      return {
        pid: 42,
        write: (text) => written.push(text),
        endStdin: () => written.push('<end>'),
        pause: () => written.push('<pause>'),
        resume: () => {},
        tidy: async () => {},
        async end(how = {}) {
          ends.push(how);
          return { survivors: options.survivors ?? [] };
        },
      };
    },
  };
  const asked = request(options.request);
  const one = runner(options.runner);
  const admitted = admit(one, asked, { root: false, allowRoot: false });
  if (admitted.refuse !== undefined) throw new Error(admitted.message);
  const turn = runTurn({
    runner: one,
    admitted,
    machine: machine(options.machine),
    invocation: { argv: ['/bin/agent'], env: {}, stdin: 'hold', stdout: 'pipe' },
    conversation,
    limits: { timeoutMs: 0, idleMs: 0, startupMs: 0, ...options.limits },
    world,
    tools: options.toolbox
      ? { toolbox: options.toolbox, attach: () => {}, receive: () => {}, listed: () => null }
      : null,
    emit: (event) => events.push(event),
    mask: (text) => text.replaceAll('s3cret', '[masked]'),
    notices: admitted.notices,
    ...(options.tap ? { tap: options.tap } : {}),
  });
  await settled();
  const live = (): ChildHandlers => {
    if (!handlers) throw new Error('nothing was started');
    return handlers;
  };
  return {
    turn,
    events,
    heard,
    written,
    ends,
    get handlers() {
      return live();
    },
    act(...actions) {
      next = actions;
      live().line('{}');
    },
    exit: (code = 0, signal = null) => live().exit(code, signal, {}),
    async tick(ms) {
      const to = now + ms;
      for (;;) {
        const due = timers.filter((timer) => timer.at <= to).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        timers = timers.filter((other) => other !== due);
        now = due.at;
        due.run();
        await settled();
      }
      now = to;
      await settled();
    },
    types: () => events.map((event) => event.type),
  };
}

/** One short text, as a conversation says it. */
export const text = (words: string, id = 'm1'): Action => ({
  do: 'say',
  event: { type: 'assistant', text: words, message_id: id },
});

export const finish: Action = { do: 'finish', outcome: { ok: true, stopReason: 'end_turn' } };
