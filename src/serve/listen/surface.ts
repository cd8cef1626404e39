/** What a surface mounts on the HTTP listener. The listener knows nothing else of it. */

import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../../contract/principal.js';
import type { Json } from '../../contract/vocabulary.js';
import type { RenderProblem } from './problem.js';

/** What is known of a request before anybody is believed. */
export interface RequestHead {
  readonly method: string;
  /** Without the query; percent-encoding as the caller sent it. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
}

/** Finds whom a secret belongs to, in constant time. Null: nobody. */
export type Identify = (secret: string) => Principal | null;

/** Evidence of another kind than a bearer token. Null: there is none, or it is wrong. */
export type OtherEvidence = (head: RequestHead, identify: Identify) => Principal | null;

export interface PublicExchange extends RequestHead {
  /** What the path's `:name` parts are, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The body as text; empty when the route declares none. */
  readonly body: string;
  /** @throws Problem 400 */
  json(): Json;
  /** Aborted when the caller leaves before it has the whole answer. */
  readonly signal: AbortSignal;
  /** Aborted when the server is about to end and only news would come: end the stream then. */
  readonly ending: AbortSignal;
  /** Resolves when the answer is out, or the caller left. */
  readonly over: Promise<void>;
  /** Breaks the answer off, so that the caller sees that it is not whole. */
  cut(): void;
  /** Nothing new is taken; what is being answered may go on. */
  readonly draining: boolean;
}

export interface Exchange extends PublicExchange {
  readonly principal: Principal;
}

/** A request that becomes a WebSocket. */
export interface SocketExchange extends RequestHead {
  readonly principal: Principal;
  /** Aborted when the server is about to end. What is still open a second later is closed with 1001. */
  readonly ending: AbortSignal;
}

interface AnyRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** hono's patterns: `/v1/runs/:id`, `/v1/models/:id{.+}`. */
  path: string;
  /**
   * What body is taken; none when absent. `types: null` takes any content type: only for routes whose handler checks it,
   * since a page of another site can send some types without asking.
   */
  body?: { types: readonly string[] | null; most: number };
  /** How the answer comes; `whole` when absent. HEAD is answered for `whole` alone. */
  stream?: 'whole' | 'lines' | 'events';
  /** Answered while the server is about to end, too. */
  whileDraining?: true;
}

/** Anybody may call it, from an allowed Host and Origin. */
export interface PublicRoute extends AnyRoute {
  auth: 'public';
  /** @throws Problem */
  handle(exchange: PublicExchange): Response | Promise<Response>;
}

export interface KeyedRoute extends AnyRoute {
  /** `Authorization: Bearer`, or what the surfaces' `evidence` accepts. */
  auth: 'key';
  /** Accepted at this route alone, besides. */
  evidence?: OtherEvidence;
  /** @throws Problem */
  handle(exchange: Exchange): Response | Promise<Response>;
}

export type Route = PublicRoute | KeyedRoute;

/** The surface's end of a WebSocket. It sends text messages alone. */
export interface Wire {
  /** Never throws; what is sent after the end is dropped. */
  send(text: string): void;
  /** Bytes that the caller has not taken yet. */
  readonly waiting: number;
  /** Stops reading the caller's messages until `resume`. */
  pause(): void;
  resume(): void;
  /** @param code 1000, or 3000–4999; @param reason at most 123 bytes */
  close(code: number, reason: string): void;
}

export interface WireSession {
  message(text: string): void;
  /** The caller is gone, or was closed. Called once. */
  closed(): void;
}

/** A WebSocket, behind the same guard as every route. */
export interface SocketRoute {
  /** Exact. */
  path: string;
  evidence?: OtherEvidence;
  /**
   * Chooses among the subprotocols that the caller offers, in its order.
   * @returns one of them, null for none, or false to refuse with 400
   */
  protocol?(offered: readonly string[]): string | null | false;
  /** Whether binary messages are taken as text in UTF-8; else one closes with 1003. */
  binary?: true;
  /** The largest message, bytes. A larger one closes with 1009. */
  most: number;
  open(exchange: SocketExchange, wire: Wire): WireSession;
}

export interface Surface {
  name: string;
  /** Paths below these are the surface's: what is refused there is rendered by it. The longest match counts. */
  under: readonly string[];
  routes: readonly Route[];
  sockets?: readonly SocketRoute[];
  /** Renders what the listener refuses, and problems that a handler throws. */
  problem: RenderProblem;
  /** Evidence that is accepted at every route of every surface, besides a bearer token. */
  evidence?: OtherEvidence;
  /** Request headers that a listed page may send, and response headers that it may read. */
  cors?: { accepts?: readonly string[]; exposes?: readonly string[] };
  /** The server is about to end: ends what would never end by itself. */
  close?(): void | Promise<void>;
}
