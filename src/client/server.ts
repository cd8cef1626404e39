/** A running `turnout agent serve --transport http`: turns on it, their events, and what else it keeps. */

import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '../contract/error.js';
import type { Event } from '../contract/event.js';
import type { Frame } from '../contract/frame.js';
import type { Json, JsonObject } from '../contract/vocabulary.js';
import type { TurnOptions } from '../host/options.js';
import { toolDefinitions } from '../host/tools.js';
import { hostTurn, type Listener, type Port, type Turn } from '../host/turn.js';
import { readOptions } from '../request/from-options.js';
import type { Given } from '../request/table.js';
import { toJson } from '../request/to-json.js';
import { parseJson, str } from '../text/json.js';
import { type Address, request, ServerError } from './server-lines.js';

/** Milliseconds before a follower that lost its connection tries again. */
const AGAIN = [200, 500, 1000, 2000, 4000];

/** A turn on a server; `id` is known once its first event was read. */
export interface ServerTurn extends Turn {
  /** For `events`, and for whoever goes on with it elsewhere. */
  readonly id: string | null;
  readonly sessionId: string | null;
}

/** Options that only a server has. */
export interface ServerKeys {
  /** A session of the server, `last` or `new`. */
  session?: string;
  /** The same key with the same request is the same run, for 24 hours. */
  idempotencyKey?: string;
}

/** A server's turns and lists. Each call is a request of its own. */
export interface Server {
  /**
   * Begins a turn; tools and questions are answered here, as with `connect`. Paths are those of the server's machine.
   * @throws {UsageError} an option that contradicts itself, or that a server does not accept
   */
  exec<Schemas = Record<string, never>>(options: TurnOptions<Schemas> & ServerKeys): ServerTurn;
  /**
   * Numbered events of a run after `since`, until it ends, through lost connections.
   * @throws {ServerError} an unknown run; no connection after five attempts
   */
  events(
    runId: string,
    options?: { since?: number; signal?: AbortSignal },
  ): AsyncIterable<{ seq: number; event: Event }>;
  /** Any op that is not a stream, by the keys of docs/server.md. @returns its `result` @throws {ServerError} a refusal */
  call(op: string, keys?: JsonObject): Promise<JsonObject>;
}

function frameRequest(run: string, frame: Frame): JsonObject {
  switch (frame.type) {
    case 'tool_result':
      return { op: 'tool_result', run_id: run, call_id: frame.id, ok: frame.ok, result: frame.result };
    case 'permission_result': {
      const { id, choice, message = null } = frame;
      return { op: 'approve', run_id: run, request_id: id, choice, message };
    }
    case 'question_result': {
      const answers: Json = parseJson(JSON.stringify(frame.answers)) ?? {};
      return { op: 'answer', run_id: run, question_id: frame.id, answers };
    }
    case 'steer':
      return { op: 'steer', run_id: run, text: frame.text };
    case 'cancel':
      return { op: 'cancel', run_id: run };
    default:
      return frame satisfies never;
  }
}

/** @param url such as `http://127.0.0.1:9090` */
export function connectServer(url: string, options: { token?: string } = {}): Server {
  const address: Address = { url, ...options };
  const call = async (body: JsonObject): Promise<JsonObject> => {
    let result: JsonObject = {};
    for await (const line of request(address, body, null)) if (line.kind === 'result') result = line.fields;
    return result;
  };

  const start = (body: JsonObject, begun: (run: string, session: string | null) => void, listener: Listener): Port => {
    let run: string | null = null;
    const early: Frame[] = [];
    const send = (frame: Frame) => {
      if (run === null) return void early.push(frame);
      const sent = frameRequest(run, frame);
      // What comes too late is not needed any more; the stream says how the turn goes on.
      if (sent)
        call(sent).catch((error: unknown) => process.emitWarning(error instanceof Error ? error : String(error)));
    };
    let held: Promise<void> | null = null;
    let release = () => {};
    const read = async () => {
      for await (const line of request(address, body, null)) {
        if (line.kind === 'progress' && run === null) {
          run = str(line.fields, 'run_id') ?? '';
          begun(run, str(line.fields, 'session_id') ?? null);
          for (const frame of early.splice(0)) send(frame);
        }
        if (line.kind === 'event' && line.event) listener.event(line.event);
        if (held) await held;
      }
    };
    read().catch((error: unknown) => listener.failed(refusal(error)));
    return {
      send,
      cancel: () => send({ v: 1, type: 'cancel' }),
      pause() {
        held ??= new Promise((resolve) => {
          release = resolve;
        });
      },
      resume() {
        held = null;
        release();
      },
    };
  };

  return {
    exec(given) {
      // The folder is the server's: nothing here can say whether it exists.
      const { session, idempotencyKey, cwd, ...rest } = given;
      const asked = rest as TurnOptions;
      const tools = toolDefinitions(asked.tools ?? {});
      const wanted: Given = {
        ...readOptions(asked),
        ...(tools.length > 0 ? { tools } : {}),
        ...(asked.onPermission ? { approvals: 'stdio' } : {}),
        ...(asked.onQuestion ? { questions: 'stdio' } : {}),
      };
      const body: JsonObject = { op: 'exec', ...toJson(wanted) };
      if (cwd !== undefined) body['cwd'] = cwd;
      if (session !== undefined) body['session'] = session;
      if (idempotencyKey !== undefined) body['idempotency_key'] = idempotencyKey;
      let id: string | null = null;
      let sessionId: string | null = null;
      const begun = (run: string, of: string | null) => {
        id = run;
        sessionId = of;
      };
      const turn = hostTurn(asked, (listener) => start(body, begun, listener));
      return Object.defineProperties(turn, {
        id: { get: () => id, enumerable: true },
        sessionId: { get: () => sessionId, enumerable: true },
      }) as ServerTurn;
    },
    async *events(runId, { since = 0, signal } = {}) {
      let next = since;
      for (let failed = 0; ; failed += 1) {
        try {
          const body = { op: 'events', run_id: runId, since: next, follow: true };
          for await (const line of request(address, body, signal ?? null)) {
            if (line.kind === 'gap') next = line.to;
            if (line.kind !== 'event') continue;
            next = line.seq;
            failed = 0;
            if (line.event) yield { seq: line.seq, event: line.event };
          }
          return;
        } catch (error) {
          const again = AGAIN[failed];
          if (signal?.aborted || again === undefined) throw error;
          if (!(error instanceof ServerError) || error.status !== null) throw error;
          await wait(again, undefined, signal ? { signal } : {});
        }
      }
    },
    call: (op, keys = {}) => call({ ...keys, op }),
  };
}

/** What the server found wrong with a request, as `connect` reports it. */
function refusal(error: unknown): unknown {
  return error instanceof ServerError && error.serverCode === 'usage'
    ? new UsageError(error.message, { cause: error })
    : error;
}
