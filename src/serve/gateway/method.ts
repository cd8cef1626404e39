/** What a method is, and what it may use. */

import type { Json } from '../../contract/vocabulary.js';
import type { Caller } from '../../runs/ports.js';
import type { Asker } from './asker.js';
import type { BusyPolicy, Gateway } from './gateway.js';
import type { Position } from './ledger.js';
import type { Shape, Values } from './params.js';
import type { EventParams } from './rpc.js';

/** The client that asks. */
export interface Asking {
  gateway: Gateway;
  caller: Caller;
  /** Follows the session from now on, unless it does already. @returns what it knows with the answer */
  attach(session: string): Promise<Position>;
  detach(session: string): void;
  /** Nothing of the session is told before the answer went out. Call it before what is answered happens. */
  hold(session: string): void;
  /** Done once the answer went out. */
  afterwards(work: () => void): void;
  /** Told to this client alone. */
  tell(event: EventParams): void;
  /** The session is closed when this client leaves. */
  closeWithMe(session: string): void;
  /** What this client has set for itself. */
  settings: { busy: BusyPolicy };
  /** What this client is asked. */
  questions: Asker;
  /** The session that the client opened last; for methods whose clients know one session alone. */
  current: string | null;
}

export interface Method {
  params: Shape;
  /**
   * @param values as the shape says
   * @param keys all that the client sent
   * @throws {RpcError}
   */
  handle(asking: Asking, values: Values<Shape>, keys: readonly string[]): Json | Promise<Json>;
}

export type Methods = Readonly<Record<string, Method>>;

/** Ties what is taken to what it is worked on with. */
export function method<S extends Shape>(
  params: S,
  handle: (asking: Asking, values: Values<S>, keys: readonly string[]) => Json | Promise<Json>,
): Method {
  return {
    params,
    handle: (asking, values, keys) => {
      const own: Values<S> = {};
      for (const key in params) if (Object.hasOwn(values, key)) Object.assign(own, { [key]: values[key] });
      return handle(asking, own, keys);
    },
  };
}
