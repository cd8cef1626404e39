/** `/api/sessions`: sessions as clients of hermes-agent know them. */

import type { Exchange, Route } from '../../listen/surface.js';
import type { Api } from '../begin.js';
import type { Names } from '../names.js';
import { get, type Handle, patch, post, remove } from '../routing.js';
import { PATIENCE_MS } from '../runs/patience.js';
import { sessionChat, sessionStream } from './chat.js';
import {
  changeSession,
  createSession,
  deleteSession,
  forkSession,
  getSession,
  listSessions,
  type SessionsContext,
  sessionMessages,
} from './resources.js';

export function sessionRoutes(api: Api, names: Names, patienceMs = PATIENCE_MS): Route[] {
  const context: SessionsContext = { api, names };
  const json =
    (make: (exchange: Exchange, context: SessionsContext) => Promise<object>, status = 200): Handle =>
    async (exchange) =>
      Response.json(await make(exchange, context), { status });
  const one = '/api/sessions/:id';
  const options = { names, patienceMs };
  return [
    get('/api/sessions', json(listSessions)),
    post('/api/sessions', json(createSession, 201)),
    get(one, json(getSession)),
    patch(one, json(changeSession)),
    remove(one, json(deleteSession)),
    get(`${one}/messages`, json(sessionMessages)),
    post(`${one}/fork`, json(forkSession, 201)),
    post(`${one}/chat`, (exchange) => sessionChat(exchange, context, options)),
    post(`${one}/chat/stream`, (exchange) => sessionStream(exchange, context, options)),
  ];
}
