/** A turn whose other side is played by the test. */

import type { Event } from '../../src/contract/event.js';
import type { Frame } from '../../src/contract/frame.js';
import { type HostOptions, hostTurn, type Listener, type Turn } from '../../src/host/turn.js';

export interface Staged {
  turn: Turn;
  listener: Listener;
  frames: Frame[];
  /** Calls of the port other than `send`. */
  asked: string[];
}

export function stage(options: HostOptions = {}): Staged {
  const frames: Frame[] = [];
  const asked: string[] = [];
  let kept: Listener | undefined;
  const turn = hostTurn(options, (listener) => {
    kept = listener;
    return {
      send: (frame) => frames.push(frame),
      cancel: () => asked.push('cancel'),
      pause: () => asked.push('pause'),
      resume: () => asked.push('resume'),
    };
  });
  if (!kept) throw new Error('the turn was not started');
  return { turn, listener: kept, frames, asked };
}

export const say = (text: string, id = 'm1'): Event => ({ v: 1, type: 'assistant', text, message_id: id });
export const call = (id: string, name: string, args = {}): Event => ({ v: 1, type: 'tool_call', id, name, args });
export const told = (id: string, text: string): Event => ({
  v: 1,
  type: 'tool_result',
  id,
  ok: false,
  result: { text },
});
export const done = (exit = 0): Event => ({
  v: 1,
  type: 'done',
  exit_code: exit,
  stop_reason: exit === 0 ? 'end_turn' : 'error',
  duration_ms: 5,
});
export const failure = (code: 'auth' | 'cancelled' = 'auth'): Event => ({
  v: 1,
  type: 'error',
  code,
  message: 'not logged in',
  fatal: true,
  hint: 'agent login',
});

/** Lets everything that is ready run. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

export async function all(turn: Turn): Promise<string[]> {
  const types: string[] = [];
  for await (const event of turn) types.push(event.type);
  return types;
}
