/** A turn that does as the test says, and a core that runs it. */

import type { DoneEvent, Event } from '../../src/contract/event.js';
import type { Frame } from '../../src/contract/frame.js';
import { liveGiven } from '../../src/runs/clock-and-ids.js';
import { type Core, type CoreOptions, createCore } from '../../src/runs/core.js';
import type { StartTurn, TurnPlan } from '../../src/runs/plan.js';
import type { Started, Submission } from '../../src/runs/ports.js';
import { ownerAt } from '../../src/runs/sight.js';
import { memoryStore } from '../../src/runs/store/memory-store.js';
import { request } from '../runners/drive.js';
import { runner } from '../turn/stage.js';

export interface FakeTurn {
  plan: TurnPlan;
  frames: Frame[];
  calls: string[];
  emit(event: Event): void;
  /** Says `done`, of this exit code or as it is given, and lets the turn end. */
  end(exit?: number | DoneEvent): void;
}

export const done = (exit = 0, ms = 5): DoneEvent => ({
  v: 1,
  type: 'done',
  exit_code: exit,
  stop_reason: exit === 0 ? 'end_turn' : exit === 130 ? 'cancelled' : 'error',
  duration_ms: ms,
});

export const begins = (pid: number): Event => ({
  v: 1,
  type: 'start',
  runtime: 'test',
  cwd: '/project',
  pid,
  child_pid: pid + 1,
  access: 'scoped',
  access_gaps: [],
  native_sandbox: 'none',
  approvals: 'on',
  asks_permission: true,
  settings_loaded: [],
  credential: { kind: 'none' },
  confinement: { by: 'program', network: 'open' },
  streams_incrementally: true,
});

export const start = begins(1);

export const says = (text: string): Event => ({ v: 1, type: 'assistant', text, message_id: 'm1' });

export const plan = (prompt = 'hello'): TurnPlan => ({
  request: request({ prompt, runtime: 'test' }),
  limits: { timeoutMs: 0, idleMs: 0, startupMs: 0 },
  env: {},
  allowRoot: false,
});

export const TESTER = ownerAt('test');

export interface Stage {
  core: Core;
  turns: FakeTurn[];
  /** Begins a session with one turn. */
  submit(prompt?: string, how?: Partial<Submission>): Promise<Started>;
}

/** Turns that wait for the test, and the way to begin one. */
export function fakeTurns(): { turns: FakeTurn[]; start: StartTurn } {
  const turns: FakeTurn[] = [];
  return {
    turns,
    start(plan, emit) {
      let finish: (code: number) => void = () => {};
      const over = new Promise<number>((resolve) => {
        finish = resolve;
      });
      const turn: FakeTurn = {
        plan,
        frames: [],
        calls: [],
        emit,
        end(exit = 0) {
          const last = typeof exit === 'number' ? done(exit) : exit;
          emit(last);
          finish(last.exit_code);
        },
      };
      turns.push(turn);
      return {
        frame: (frame) => turn.frames.push(frame),
        stdinClosed: () => turn.calls.push('stdin closed'),
        cancel: () => turn.calls.push('cancel'),
        pause: () => turn.calls.push('pause'),
        resume: () => turn.calls.push('resume'),
        done: over,
      };
    },
  };
}

export function stage(options: Partial<CoreOptions> = {}): Stage {
  const { turns, start: begin } = fakeTurns();
  const core = createCore({
    store: memoryStore(),
    runners: [runner()],
    ambient: {},
    cwd: '/project',
    turnout: [],
    version: '0.0.0',
    start: begin,
    ...options,
  });
  return {
    core,
    turns,
    submit: (prompt, how = {}) =>
      core.runs.start({
        caller: TESTER,
        plan: plan(prompt),
        conversation: { kind: 'new' },
        attended: false,
        given: liveGiven(),
        ...how,
      }),
  };
}

/** Lets everything that is ready run. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 12; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}
