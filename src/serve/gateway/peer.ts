/** One client: its requests are worked on side by side, the sessions it follows are told, and its answers are heard. */

import { UsageError } from '../../contract/error.js';
import type { Json } from '../../contract/vocabulary.js';
import { CoreError, type Reason } from '../../runs/failure.js';
import type { Caller } from '../../runs/ports.js';
import type { LineSession, Out } from '../listen/lines.js';
import { asker } from './asker.js';
import { type Feed, feed } from './feed.js';
import type { Gateway } from './gateway.js';
import { infoOf } from './info.js';
import { epochOf } from './ledger.js';
import type { Asking } from './method.js';
import { methodNamed, unknownMethod } from './methods.js';
import { readParams } from './params.js';
import {
  CODE,
  type EventParams,
  errorFrame,
  eventFrame,
  type Incoming,
  RpcError,
  readFrame,
  requestFrame,
  resultFrame,
} from './rpc.js';

/** Requests that are worked on at once; more are not read meanwhile. */
const MOST_OPEN = 256;
/** What is being answered may take as long once nobody asks any more, milliseconds. */
const LAST_ANSWERS_MS = 700;

const CODES: Readonly<Record<Reason, number>> = {
  'not-found': CODE.noLiveSession,
  'not-active': CODE.unsupported,
  'not-pending': CODE.busy,
  unsupported: CODE.unsupported,
  conflict: CODE.badParam,
  busy: CODE.limit,
  'session-busy': CODE.busy,
  store: CODE.storage,
  draining: CODE.limit,
  'credential-owner': CODE.unsupported,
  budget: CODE.limit,
  'bad-request': CODE.badParam,
};

export interface PeerOptions {
  gateway: Gateway;
  caller: Caller;
  out: Out;
  /** Whether the client is to look for a lost connection by itself. */
  heartbeat: boolean;
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Begins a client: the first thing it is told is `gateway.ready`. */
export function peer({ gateway, caller, out, heartbeat }: PeerOptions): LineSession {
  const { core } = gateway;
  const { complain } = gateway.options;
  const feeds = new Map<string, Feed>();
  const closing = new Set<string>();
  const left = new AbortController();
  const self = {};
  const settings: Asking['settings'] = { busy: 'queue' };
  let current: string | null = null;
  let working = 0;
  let waiting: (() => void)[] = [];

  const send = (frame: string): void => out.write(`${frame}\n`);
  const tell = (event: EventParams): void => send(eventFrame(event));
  const questions = asker({
    core,
    caller,
    tell,
    request: ({ id, method, params }) => send(requestFrame(id, method, params)),
  });

  async function state(session: string, running: boolean): Promise<void> {
    const record = await core.sessions.get(session, caller);
    if (record)
      tell({ type: 'session.info', session_id: session, payload: await infoOf(gateway, record, caller, running) });
  }
  function follow(session: string, from: Awaited<ReturnType<Asking['attach']>>): Feed {
    return feed({
      core,
      caller,
      session,
      from,
      ready: () => out.ready(),
      tell,
      ask: (run, { event }) => questions.ask(run, event),
      state,
      lost: (error) => complain(`session ${session}: ${said(error)}`),
    });
  }
  function detach(session: string): void {
    feeds.get(session)?.close();
    feeds.delete(session);
    gateway.open.get(session)?.viewers.delete(self);
    questions.forget(session);
  }
  function asking(after: (() => void)[]): Asking {
    return {
      gateway,
      caller,
      tell,
      current,
      settings,
      questions,
      detach,
      async attach(session) {
        const from = await gateway.ledger.position(session, caller);
        if (left.signal.aborted) return from;
        current = session;
        gateway.touch(session).viewers.add(self);
        if (!feeds.has(session)) feeds.set(session, follow(session, from));
        return from;
      },
      hold(session) {
        const release = feeds.get(session)?.hold();
        if (release) after.push(release);
      },
      afterwards: (work) => void after.push(work),
      closeWithMe: (session) => void closing.add(session),
    };
  }

  function asRpc(name: string, error: unknown): RpcError {
    if (error instanceof RpcError) return error;
    if (error instanceof CoreError) return new RpcError(CODES[error.reason], error.message, { reason: error.reason });
    if (error instanceof UsageError) return new RpcError(CODE.badParam, `invalid params for ${name}: ${error.message}`);
    complain(`${name}: ${said(error)}`);
    return new RpcError(CODE.handler, `handler error: ${said(error)}`);
  }
  async function serve({ id, method: name, params }: Extract<Incoming, { kind: 'request' }>): Promise<void> {
    const after: (() => void)[] = [];
    try {
      const found = methodNamed(name);
      if (!found) throw unknownMethod(name);
      const { method, rename } = found;
      const given = rename(params, current);
      const values = readParams(name, method.params, given);
      const result: Json = await method.handle(asking(after), values, Object.keys(given));
      send(resultFrame(id, result));
    } catch (error) {
      send(errorFrame(id, asRpc(name, error)));
    } finally {
      for (const work of after) work();
    }
  }
  /** Counts what is worked on. */
  function work(does: Promise<unknown>): void {
    working += 1;
    void does
      .catch((error: unknown) => complain(said(error)))
      .finally(() => {
        working -= 1;
        const all = waiting;
        waiting = [];
        for (const resolve of all) resolve();
      });
  }
  const lessWork = () => new Promise<void>((resolve) => waiting.push(resolve));
  async function idle(): Promise<void> {
    while (working > 0) await lessWork();
  }
  function gone(): void {
    if (left.signal.aborted) return;
    left.abort();
    stopHearing();
    for (const session of [...feeds.keys()]) detach(session);
    const close = methodNamed('session.close')?.method;
    for (const session_id of closing) work(Promise.resolve(close?.handle(asking([]), { session_id }, [])));
  }

  const stopHearing = gateway.onNews((session, event) => {
    if (feeds.has(session)) tell({ ...event, session_id: session });
  });
  tell({
    type: 'gateway.ready',
    payload: {
      skin: {},
      change_events: false,
      replay_epoch: epochOf(core),
      capabilities: {
        event_replay: true,
        change_events: false,
        turn_lease: false,
        turn_recovery: false,
        client_turn_id: true,
      },
      protocol: { version: 1 },
      server: { name: 'turnout', version: core.version },
      ...(heartbeat ? { heartbeat: true } : {}),
    },
  });
  questions.watch(left.signal).catch((error: unknown) => complain(said(error)));

  return {
    get full() {
      return working >= MOST_OPEN;
    },
    async room() {
      await out.ready();
      while (working >= MOST_OPEN) await lessWork();
    },
    accept(line) {
      const incoming = readFrame(line);
      switch (incoming.kind) {
        case 'nothing':
          return;
        case 'refused':
          return send(errorFrame(incoming.id, incoming.error));
        case 'answer':
          return work(questions.hear(incoming));
        case 'request':
          return work(serve(incoming));
        default: {
          const never: never = incoming;
          return never;
        }
      }
    },
    malformed: (message) => send(errorFrame(null, new RpcError(CODE.parse, `parse error: ${message}`))),
    idle,
    async end() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, LAST_ANSWERS_MS);
      });
      await Promise.race([idle(), late]);
      clearTimeout(timer);
      gone();
    },
    gone,
    halted: new Promise(() => {}),
    worst: 0,
  };
}
