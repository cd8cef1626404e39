/** Runs a recorded turn again through today's translator: no process, no clock but the recording's own. */

import type { Event } from '../contract/event.js';
import type { TurnRequest } from '../runner/request.js';
import type { Runner } from '../runner/runner.js';
import { isRefusal } from '../runner/runner.js';
import { steersByName } from '../text/steering.js';
import { admit, type Notice, nativeRequest } from '../turn/admission.js';
import type { TurnTools } from '../turn/caller-tools.js';
import { runTurn } from '../turn/loop.js';
import { policyDesk } from '../turn/policy/desk.js';
import { answering } from '../turn/structured.js';
import type { ChildHandlers, TapEntry, World } from '../turn/world.js';
import { comparable, type Recording } from './recording.js';

export interface Replayed {
  events: Event[];
  /** For each event the index of the entry it answers; -1 at the beginning. */
  causes: number[];
  /** Lines that today's conversation would write to the runtime. */
  written: string[];
  exitCode: number;
}

/** A recording asks nobody and is nobody's log. */
const NO_FILES = { answers: [], keep: () => undefined, log: () => undefined };

interface Timer {
  at: number;
  run: () => void;
}

/** Lets promises that are ready run; a launch takes a few turns of the queue. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Today's runner no longer takes the recorded turn. */
export class RefusedToday extends Error {
  override readonly name = 'RefusedToday';
}

export interface ReplayOptions {
  /** Made from the recorded request when it declared caller tools. */
  tools?: TurnTools | null;
  /** The definitions as runtimes get them; as recorded when absent. */
  offered?: TurnRequest['tools'];
  /** What preparing the tools had to say. */
  notices?: readonly Notice[];
  /** How native lines reach the handlers (tests cut them into random chunks); as they are when absent. */
  feed?(handlers: ChildHandlers, line: string): void;
}

/** @throws {RefusedToday} */
export async function replay(recording: Recording, runner: Runner, options: ReplayOptions = {}): Promise<Replayed> {
  const { machine, entries } = recording;
  let now = 0;
  let timers: Timer[] = [];
  const at: { handlers: ChildHandlers | null } = { handlers: null };
  /** What waits for the process to be gone: its exit may bring files that the end of the turn needs. */
  let leaving: (() => void)[] = [];
  let isGone = false;
  const gone = () => {
    isGone = true;
    for (const tell of leaving) tell();
    leaving = [];
  };
  const events: Event[] = [];
  const causes: number[] = [];
  let cause = -1;
  const written: string[] = [];
  const insides = new Map(
    entries.flatMap((entry) => (entry.k === 'inside' ? [[entry.path, entry.inside] as const] : [])),
  );
  const steering = new Map(
    entries.flatMap((entry) => (entry.k === 'steers' ? [[entry.path, entry.steers] as const] : [])),
  );
  const world: World = {
    now: () => now,
    wall: () => null,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    inside: (path) => insides.get(path) ?? false,
    steers: (path) => steering.get(path) ?? steersByName(path),
    async launch(_invocation, given) {
      at.handlers = given;
      isGone = false;
      return {
        pid: 1,
        write: (text) => written.push(text),
        endStdin: () => {},
        pause: () => {},
        resume: () => {},
        tidy: async () => {},
        end: () =>
          new Promise((resolve) => {
            const tell = () => resolve({ survivors: [] });
            if (isGone) tell();
            else leaving.push(tell);
          }),
      };
    },
  };
  const admitted = admit(runner, recording.request, {
    root: machine.uid0,
    allowRoot: true,
    walled: machine.confined !== undefined,
  });
  if (admitted.refuse !== undefined)
    throw new RefusedToday(`${runner.id} refuses this turn today: ${admitted.message}`);
  const asked: TurnRequest = { ...admitted.request, tools: options.offered ?? admitted.request.tools };
  const living = entries.find((entry) => entry.k === 'living')?.state;
  const { request, conversation } = await answering(runner, nativeRequest(admitted, asked), machine, living);
  const invocation = runner.invoke(request, machine);
  if (isRefusal(invocation)) throw new RefusedToday(`${runner.id} refuses this turn today: ${invocation.message}`);
  const turn = runTurn({
    runner,
    admitted: { ...admitted, request: { ...request, access: asked.access, sandbox: asked.sandbox } },
    machine,
    invocation,
    conversation,
    limits: recording.limits,
    world,
    living,
    // Whether the recorded program lived on was decided by what kept it.
    ...(entries.some((entry) => entry.k === 'kept') ? { keep: async () => {} } : {}),
    tools: options.tools ?? null,
    policy: asked.policy && policyDesk(asked.policy, { cwd: asked.cwd }, runner.id, NO_FILES),
    emit(event) {
      events.push(event);
      causes.push(cause);
    },
    mask: (text) => text,
    notices: [...admitted.notices, ...(options.notices ?? [])],
  });
  let over = false;
  void turn.done.then(() => {
    over = true;
  });
  const advance = async (to: number) => {
    for (;;) {
      const due = timers.filter((timer) => timer.at <= to).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      timers = timers.filter((one) => one !== due);
      now = Math.max(now, due.at);
      due.run();
      await settle();
    }
    now = Math.max(now, to);
  };
  const apply = (entry: TapEntry) => {
    switch (entry.k) {
      case 'out':
        if (at.handlers && options.feed) return options.feed(at.handlers, entry.line);
        return at.handlers?.line(entry.line);
      case 'err':
        return at.handlers?.stderr(entry.line);
      case 'dropped':
        return at.handlers?.dropped(entry.bytes);
      case 'exit':
        at.handlers?.exit(entry.code, entry.signal, entry.files ?? {});
        return gone();
      case 'frame':
        return turn.frame(entry.frame);
      case 'bad-frame':
        return turn.badFrame(entry.message, entry.id);
      case 'stdin-closed':
        return turn.stdinClosed();
      case 'mcp':
        // What came over a pipe of the runtime's own is said by its lines already.
        if (entry.dir === 'from-agent' && entry.channel.startsWith('bridge-')) {
          options.tools?.receive(entry.channel, entry.message);
        }
        return;
      case 'spawn':
      case 'living':
      case 'kept':
      case 'in':
      case 'feed':
      case 'inside':
      case 'steers':
      case 'unread':
        return;
      case 'event':
        if (entry.event.type === 'done') gone();
        return;
      default: {
        const never: never = entry;
        throw new Error(String(never));
      }
    }
  };
  await settle();
  for (const [index, entry] of entries.entries()) {
    await advance(entry.t);
    cause = index;
    apply(entry);
    // Only what can start a process or settle a promise needs a turn of the queue.
    if (entry.k !== 'out' && (entry.k !== 'event' || entry.event.type === 'done')) await settle();
  }
  await settle();
  // A recording that stops early leaves the rest to the limits: host and runtime are gone, also a runtime that follows.
  if (!over) turn.stdinClosed();
  for (let i = 0; !over && i < 100; i++) {
    const handlers = at.handlers;
    at.handlers = null;
    handlers?.exit(null, null, {});
    gone();
    await settle();
    await advance(now + 1000).then(settle);
  }
  if (!over) throw new Error('the turn has no end');
  return { events, causes, written, exitCode: await turn.done };
}

/** The first place where two streams differ; null when they are the same. */
export function drift(
  before: readonly Event[],
  now: readonly Event[],
): { index: number; before: Event | null; now: Event | null } | null {
  const length = Math.max(before.length, now.length);
  for (let index = 0; index < length; index++) {
    const a = before[index];
    const b = now[index];
    if (a && b && JSON.stringify(comparable(a)) === JSON.stringify(comparable(b))) continue;
    return { index, before: a ?? null, now: b ?? null };
  }
  return null;
}
