/** Clients of a gateway over a fake core: what they send, and every frame that they are sent. */

import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import { ownerAt } from '../../../src/runs/sight.js';
import { type Gateway, gateway } from '../../../src/serve/gateway/gateway.js';
import { METHODS, methodNamed } from '../../../src/serve/gateway/methods.js';
import { peer } from '../../../src/serve/gateway/peer.js';
import type { LineSession } from '../../../src/serve/listen/lines.js';
import { at, isObject, parseObject, str } from '../../../src/text/json.js';
import { type Stage, stage } from '../../runs/fake-turn.js';
import { frameFault, resultFault } from './frames.js';

export interface Client {
  /** Everything that was sent to it, oldest first. */
  frames: JsonObject[];
  peer: LineSession;
  /** A whole line. */
  raw(line: string): void;
  /** @returns the frame that answers */
  call(method: string, params?: JsonObject): Promise<JsonObject>;
  /** @returns the result. @throws {Error} it was refused */
  ask(method: string, params?: JsonObject): Promise<JsonObject>;
  answer(id: Json, result: Json): void;
  refuse(id: Json, code: number): void;
  /** The first frame like that, also one that comes later. Bounded by the limit of the whole file. */
  until(like: (frame: JsonObject) => boolean): Promise<JsonObject>;
  /** Events of a type. */
  events(type: string): JsonObject[];
  /** Nothing more is taken until the returned function is called. */
  stall(): () => void;
  leave(): void;
}

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
export const typeOf = (frame: JsonObject): string | undefined => str(frame, 'params', 'type');
export const isEvent =
  (type: string) =>
  (frame: JsonObject): boolean =>
    frame['method'] === 'event' && typeOf(frame) === type;
/** A question of ours, as a request. */
export const isRequest = (frame: JsonObject): boolean => typeof frame['method'] === 'string' && 'id' in frame;
export const codeOf = (frame: JsonObject): Json | undefined => at(frame, 'error', 'code');

function client(of: Gateway, caller = ownerAt('gateway')): Client {
  const frames: JsonObject[] = [];
  let waiting: (() => void)[] = [];
  let stalled = false;
  let number = 0;
  const faults: string[] = [];
  const one = peer({
    gateway: of,
    caller,
    heartbeat: false,
    out: {
      closed: false,
      write(line) {
        for (const part of line.split('\n').filter((text) => text !== '')) {
          const frame = parseObject(part) ?? {};
          const fault = frameFault(frame);
          // Seen by the test as a frame that it waits for in vain, so it is said here.
          if (fault !== null) faults.push(`${fault}: ${part.slice(0, 500)}`);
          frames.push(frame);
        }
      },
      ready: () => (stalled ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
    },
  });
  const send = (frame: JsonObject) => one.accept(JSON.stringify({ jsonrpc: '2.0', ...frame }));
  async function until(like: (frame: JsonObject) => boolean): Promise<JsonObject> {
    for (let from = 0; ; ) {
      for (; from < frames.length; from += 1) {
        const frame = frames[from];
        if (frame && like(frame)) return frame;
      }
      await turn();
    }
  }
  async function call(method: string, params: JsonObject = {}): Promise<JsonObject> {
    number += 1;
    const id = `t${number}`;
    send({ id, method, params });
    const answer = await until((frame) => frame['id'] === id && !('method' in frame));
    const { result } = answer;
    const named = methodNamed(method)?.method;
    const own = Object.keys(METHODS).find((one) => METHODS[one] === named);
    const fault = result === undefined || own === undefined ? null : resultFault(own, result);
    if (fault !== null) faults.push(`${method}: ${fault}`);
    if (faults.length > 0) throw new Error(faults.join('\n'));
    return answer;
  }
  return {
    frames,
    peer: one,
    raw: (line) => one.accept(line),
    call,
    async ask(method, params) {
      const frame = await call(method, params);
      const { result } = frame;
      if (!isObject(result)) throw new Error(`${method}: ${JSON.stringify(frame)}`);
      return result;
    },
    answer: (id, result) => send({ id, result }),
    refuse: (id, code) => send({ id, error: { code, message: 'no' } }),
    until,
    events: (type) => frames.filter(isEvent(type)),
    stall() {
      stalled = true;
      return () => {
        stalled = false;
        const all = waiting;
        waiting = [];
        for (const resolve of all) resolve();
      };
    },
    leave: () => one.gone(),
  };
}

export interface Room extends Stage {
  gateway: Gateway;
  complaints: string[];
  join(): Client;
  /** Resolves when so many turns were begun. */
  begun(count: number): Promise<void>;
}

export function room(options: Parameters<typeof stage>[0] = {}): Room {
  const on = stage({ cwd: process.cwd(), ...options });
  const complaints: string[] = [];
  const complain = (text: string) => void complaints.push(text);
  const made = gateway(on.core, { runtime: 'test', access: 'scoped', settings: [], allowRoot: false, complain });
  return {
    ...on,
    gateway: made,
    complaints,
    join: () => client(made),
    async begun(count) {
      while (on.turns.length < count) await turn();
    },
  };
}

/** A session of this client. */
export async function session(of: Client): Promise<string> {
  return String((await of.ask('session.create'))['session_id']);
}
