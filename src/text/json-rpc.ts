/** One side of a JSON-RPC 2.0 conversation over lines, without I/O: it makes lines and sorts what comes in. */

import type { Json, JsonObject } from '../contract/vocabulary.js';
import { at, isObject, num, str } from './json.js';

export type RpcId = number | string;

export interface RpcError {
  code: number;
  message: string;
  data: Json | undefined;
}

/** What an incoming message is; `tag` is what the caller attached to its request. */
export type RpcIncoming<Tag> =
  | { kind: 'result'; tag: Tag; result: Json }
  | { kind: 'error'; tag: Tag; error: RpcError }
  | { kind: 'request'; id: RpcId; method: string; params: JsonObject }
  | { kind: 'notification'; method: string; params: JsonObject }
  | { kind: 'stray' };

export interface RpcPeer<Tag> {
  request(method: string, params: Json, tag: Tag): string;
  notify(method: string, params?: Json): string;
  reply(id: RpcId, result: Json): string;
  fail(id: RpcId, code: number, message: string): string;
  read(message: JsonObject): RpcIncoming<Tag>;
  /** The id of the next request: none is given twice on one connection. */
  nextId(): number;
  /** Tags of requests that have had no answer. */
  waiting(): Tag[];
}

/**
 * @param options.version whether messages carry `"jsonrpc":"2.0"` (codex app-server leaves it out)
 * @param options.firstId the first request's id
 */
export function rpcPeer<Tag>(options: { version?: boolean; firstId?: number } = {}): RpcPeer<Tag> {
  const head = options.version === false ? {} : { jsonrpc: '2.0' };
  const pending = new Map<RpcId, Tag>();
  let next = options.firstId ?? 1;
  const line = (body: object) => JSON.stringify({ ...head, ...body });
  return {
    request(method, params, tag) {
      const id = next++;
      pending.set(id, tag);
      return line({ id, method, params });
    },
    notify: (method, params) => line(params === undefined ? { method } : { method, params }),
    reply: (id, result) => line({ id, result }),
    fail: (id, code, message) => line({ id, error: { code, message } }),
    nextId: () => next,
    waiting: () => [...pending.values()],
    read(message) {
      const id = message['id'];
      const method = str(message, 'method');
      const rawParams = message['params'];
      const params: JsonObject = isObject(rawParams) ? rawParams : {};
      const hasId = typeof id === 'number' || typeof id === 'string';
      if (method !== undefined) {
        return hasId ? { kind: 'request', id, method, params } : { kind: 'notification', method, params };
      }
      if (!hasId || !pending.has(id)) return { kind: 'stray' };
      const tag = pending.get(id) as Tag;
      pending.delete(id);
      const error = at(message, 'error');
      if (isObject(error)) {
        const shown = str(error, 'message') ?? JSON.stringify(error);
        return { kind: 'error', tag, error: { code: num(error, 'code') ?? 0, message: shown, data: error['data'] } };
      }
      return { kind: 'result', tag, result: message['result'] ?? null };
    },
  };
}
