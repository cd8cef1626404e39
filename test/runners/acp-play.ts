/** Plays the agent's side of an ACP conversation by hand. */

import { acp, type Quirks } from '../../runners/dialects/acp/index.js';
import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import type { Action, Conversation, Heard, Outcome, Say } from '../../src/runner/action.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';
import { isObject, parseObject, str } from '../../src/text/json.js';
import { machine, request } from './drive.js';

const PLAIN: Quirks = { title: 'Agent', mcpNames: ['{server}_{tool}'] };

export interface Play {
  /** Everything the conversation answered with so far. */
  actions: Action[];
  hear(heard: Heard): Action[];
  /** The last message written with this method; fails when there is none. */
  sent(method: string): JsonObject;
  /** Messages written with this method. */
  count(method: string): number;
  /** Answers the last request with this method. */
  answer(method: string, result: Json): Action[];
  refuse(method: string, code: number, message: string, data?: Json): Action[];
  update(update: JsonObject, session?: string): Action[];
  /** A request of the agent's. */
  ask(id: number, method: string, params: JsonObject): Action[];
  /** What was replied to a request of the agent's. */
  replied(id: number): JsonObject | undefined;
  said(): Say[];
  /** How the turn ended, once nothing more follows the end. */
  outcome(): Outcome | undefined;
  /** Initialize and a new session, up to the prompt. */
  open(opened?: JsonObject): Action[];
}

export function play(conversation: Conversation): Play {
  const actions: Action[] = [];
  const written = (): JsonObject[] =>
    actions.flatMap((action) => (action.do === 'write' ? (parseObject(action.line) ?? []) : [])).filter(isObject);
  const requests = (method: string) => written().filter((message) => message['method'] === method);
  const sent = (method: string): JsonObject => {
    const last = requests(method).at(-1);
    if (!last) throw new Error(`${method} was never written`);
    return last;
  };
  const hear = (heard: Heard) => {
    const more = conversation.hear(heard);
    actions.push(...more);
    return more;
  };
  const line = (message: JsonObject) => hear({ type: 'line', text: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  const answer = (method: string, result: Json) => line({ id: sent(method)['id'] ?? null, result });
  return {
    actions,
    hear,
    sent,
    count: (method) => requests(method).length,
    answer,
    refuse: (method, code, message, data) =>
      line({ id: sent(method)['id'] ?? null, error: { code, message, ...(data === undefined ? {} : { data }) } }),
    update: (update, session = 's-1') => line({ method: 'session/update', params: { sessionId: session, update } }),
    ask: (id, method, params) => line({ id, method, params: { sessionId: 's-1', ...params } }),
    replied: (id) => written().find((message) => message['id'] === id && str(message, 'method') === undefined),
    said: () => actions.flatMap((action) => (action.do === 'say' ? [action.event] : [])),
    outcome() {
      if (actions.some((action) => action.do === 'wake')) hear({ type: 'woken' });
      return actions.flatMap((action) => (action.do === 'finish' ? [action.outcome] : []))[0];
    },
    open(opened = {}) {
      hear({ type: 'spawned' });
      answer('initialize', { protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: true } } });
      return answer('session/new', { sessionId: 's-1', ...opened });
    },
  };
}

/** A turn of an agent with these quirks. */
export function agent(
  quirks: Partial<Quirks> = {},
  wanted: Partial<TurnRequest> = {},
  here: Partial<Machine> = {},
): Play {
  return play(acp(request(wanted), machine(here), { quirks: { ...PLAIN, ...quirks } }));
}

export const BRIDGE: Machine['mcpBridge'] = { command: 'node', args: ['bridge.js'], env: { SOCKET: '/tmp/s' } };

export const OPTIONS: JsonObject[] = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'once', name: 'Once', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];
