/** JSON-RPC 2.0 as the gateway of hermes-agent 0.19 frames it: one object a line or message, no batches, every request answered. */

import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { isObject, parseJson } from '../../text/json.js';
import { jsonLine } from '../../text/json-line.js';

/** Codes of the protocol. Positive ones are the application's. */
export const CODE = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  handler: -32000,
  badParam: 4000,
  noLiveSession: 4001,
  textRequired: 4002,
  truncation: 4004,
  sessionRequired: 4006,
  noStoredSession: 4007,
  nothingToBranch: 4008,
  busy: 4009,
  unsupported: 4010,
  unknownCommand: 4011,
  backgroundText: 4012,
  pathRequired: 4015,
  badFile: 4016,
  badFolder: 4017,
  staleTarget: 4018,
  titleRequired: 4021,
  titleTaken: 4022,
  deleteLive: 4023,
  emptyTruncation: 4028,
  unconfirmedTruncation: 4029,
  targetsDiffer: 4030,
  limit: 4090,
  privateParam: 4124,
  notShown: 4404,
  internal: 5000,
  notStored: 5008,
  storage: 5072,
} as const;

/** An answer that says no. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: JsonObject,
  ) {
    super(message);
    this.name = 'RpcError';
  }
}

/** What one line or message of a client is. */
export type Incoming =
  | { kind: 'request'; id: Json; method: string; params: JsonObject }
  /** To a question of ours. */
  | { kind: 'answer'; id: string; result: Json | undefined; error: JsonObject | null }
  | { kind: 'refused'; id: Json; error: RpcError }
  | { kind: 'nothing' };

const refused = (id: Json, code: number, message: string): Incoming => ({
  kind: 'refused',
  id,
  error: new RpcError(code, message),
});

/** `jsonrpc` is not looked at, and a missing id is null: clients in the field send both, and expect an answer. */
export function readFrame(text: string): Incoming {
  if (text.trim() === '') return { kind: 'nothing' };
  const frame = parseJson(text);
  if (frame === undefined) return refused(null, CODE.parse, 'parse error');
  if (!isObject(frame)) return refused(null, CODE.invalidRequest, 'invalid request: expected an object');
  const { id = null, method, params, result, error } = frame;
  if (method === undefined && (result !== undefined || error !== undefined)) {
    // Nothing of ours has another id.
    if (typeof id !== 'string') return { kind: 'nothing' };
    return { kind: 'answer', id, result, error: isObject(error) ? error : null };
  }
  if (typeof method !== 'string' || method === '')
    return refused(id, CODE.invalidRequest, 'invalid request: method must be a non-empty string');
  if (params !== undefined && params !== null && !isObject(params))
    return refused(id, CODE.invalidParams, 'invalid params: expected an object');
  return { kind: 'request', id, method, params: params ?? {} };
}

const frame = (what: object): string => jsonLine(JSON.stringify({ jsonrpc: '2.0', ...what }));

export const resultFrame = (id: Json, result: Json): string => frame({ id, result });

export function errorFrame(id: Json, { code, message, data }: RpcError): string {
  return frame({ error: { code, message, ...(data === undefined ? {} : { data }) }, id });
}

export const requestFrame = (id: string, method: string, params: JsonObject): string => frame({ id, method, params });

/** What an event tells, in the order in which clients print it. */
export interface EventParams {
  type: string;
  session_id?: string;
  /** Counts the events of a session, from 1 on, without holes; only of those that can be asked for again. */
  seq?: number;
  payload?: JsonObject;
}

export const eventFrame = (params: EventParams): string => frame({ method: 'event', params });
