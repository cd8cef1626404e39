/** Plays a recorded turn as if the runtime ran: its lines at their times, waiting where the host's answer is awaited. */

import { performance } from 'node:perf_hooks';
import { setTimeout as sleep, setImmediate as tick } from 'node:timers/promises';
import type { Frame, PermissionResultFrame, QuestionResultFrame } from '../contract/frame.js';
import { steersByName } from '../text/steering.js';
import type { TurnTools } from '../turn/caller-tools.js';
import type { Child, ChildHandlers, TapEntry, World } from '../turn/world.js';
import type { Recording } from './recording.js';

export type Speed = 'original' | 'max';

export interface Player {
  world: World;
  /** Must hear what passes through the live turn, to know what it waits for. */
  tap(entry: TapEntry): void;
}

export function player(recording: Recording, speed: Speed, tools: TurnTools | null): Player {
  const { entries } = recording;
  const insides = new Map(entries.flatMap((one) => (one.k === 'inside' ? [[one.path, one.inside] as const] : [])));
  const steering = new Map(entries.flatMap((one) => (one.k === 'steers' ? [[one.path, one.steers] as const] : [])));
  let next = 0;
  let last = 0;
  /** Calls and questions the host has not answered yet. */
  const open = new Set<string>();
  let end: (() => void) | null = null;
  let cancelled = false;
  const cancels = entries.some(isCancel);
  let wake = () => {};

  const play = async (handlers: ChildHandlers, state: { over: boolean; paused: boolean }): Promise<void> => {
    const until = async (fits: () => boolean) => {
      while (!fits() && !state.over) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    };
    for (; next < entries.length && !state.over; next++) {
      const entry = entries[next];
      if (!entry) break;
      const question = answered(entry);
      if (question !== null) {
        // What came before may take a few turns of the queue to become a question.
        for (let turns = 0; turns < 4; turns++) await tick();
        await until(() => !open.has(question));
        last = Math.max(last, entry.t);
        continue;
      }
      // What follows came because the host had cancelled: a played turn waits for its own host to do so.
      if (isCancel(entry)) {
        await until(() => cancelled);
        continue;
      }
      if (!isNative(entry)) continue;
      const due = Math.max(0, entry.t - last);
      last = Math.max(last, entry.t);
      if (speed === 'original' && due > 0) await Promise.race([sleep(due), until(() => false)]);
      else await tick();
      await until(() => !state.paused);
      if (state.over) return;
      if (entry.k === 'exit') {
        next++;
        state.over = true;
        return handlers.exit(entry.code, entry.signal, entry.files ?? {});
      }
      give(entry, handlers);
    }
    if (state.over) return;
    state.over = true;
    handlers.exit(null, null, {});
  };
  const give = (entry: TapEntry, handlers: ChildHandlers) => {
    if (entry.k === 'out') handlers.line(entry.line);
    else if (entry.k === 'err') handlers.stderr(entry.line);
    else if (entry.k === 'dropped') handlers.dropped(entry.bytes);
    else if (entry.k === 'mcp') tools?.receive(entry.channel, entry.message);
  };

  return {
    tap(entry) {
      if (entry.k === 'event') {
        const { event } = entry;
        if (event.type === 'tool_call' || event.type === 'permission_request' || event.type === 'question')
          open.add(event.id);
        if (event.type === 'tool_result') open.delete(event.id);
      }
      if (entry.k === 'frame' && isDecision(entry.frame)) open.delete(entry.frame.id);
      if (entry.k === 'stdin-closed') open.clear();
      if (isCancel(entry)) cancelled = true;
      wake();
      if (isCancel(entry) && !cancels) end?.();
    },
    world: {
      now: () => performance.now(),
      wall: () => null,
      after(ms, run) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
      inside: (path) => insides.get(path) ?? false,
      steers: (path) => steering.get(path) ?? steersByName(path),
      async launch(_invocation, handlers): Promise<Child> {
        const state = { over: false, paused: false };
        const leave = () => {
          if (state.over) return;
          state.over = true;
          wake();
          handlers.exit(null, 'SIGTERM', {});
        };
        // A recorded program can't be told to stop: it is gone when the turn is cancelled.
        end = () => setImmediate(leave);
        setImmediate(() => void play(handlers, state));
        return {
          pid: process.pid,
          write: () => {},
          endStdin: () => {},
          pause() {
            state.paused = true;
          },
          resume() {
            state.paused = false;
            wake();
          },
          tidy: async () => {},
          async end() {
            leave();
            return { survivors: [] };
          },
        };
      },
    },
  };
}

/** The call or question whose answer the recorded turn went on with here; ids are the same in every run. */
function answered(entry: TapEntry): string | null {
  if (entry.k === 'event') return entry.event.type === 'tool_result' ? entry.event.id : null;
  return entry.k === 'frame' && isDecision(entry.frame) ? entry.frame.id : null;
}

const isDecision = (frame: Frame): frame is PermissionResultFrame | QuestionResultFrame =>
  frame.type === 'permission_result' || frame.type === 'question_result';

const isCancel = (entry: TapEntry) => entry.k === 'frame' && entry.frame.type === 'cancel';

/** What came from the runtime; over a pipe of its own, MCP messages are among the lines. */
function isNative(entry: TapEntry): boolean {
  if (entry.k === 'mcp') return entry.dir === 'from-agent' && entry.channel.startsWith('bridge-');
  return entry.k === 'out' || entry.k === 'err' || entry.k === 'dropped' || entry.k === 'exit';
}
