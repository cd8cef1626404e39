/** One request → the route that answers it, with everything checked that the route declares. hono finds the route. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { Principal } from '../../contract/principal.js';
import type { Json } from '../../contract/vocabulary.js';
import { checkSize, checkType, readBody } from './body.js';
import type { Guard } from './guard.js';
import { asProblem, Problem } from './problem.js';
import { refuse } from './refuse.js';
import type { Exchange, PublicExchange, RequestHead, Route, Surface } from './surface.js';
import { callerOf, rendererAt } from './surfaces.js';
import { pathOf, queryOf } from './target.js';

export interface DispatchOptions {
  guard: Guard;
  surfaces: readonly Surface[];
  /** Aborted when streams of news are to end. */
  ending: AbortSignal;
  draining(): boolean;
  /** Gives a caller that is known its place. @returns false when there is none */
  admit(request: IncomingMessage): boolean;
  /** The caller waits for a word before it sends the body. */
  expectsContinue(request: IncomingMessage): boolean;
}

type Bindings = { Bindings: HttpBindings };

function parse(body: string): Json {
  try {
    return JSON.parse(body) as Json;
  } catch (error) {
    throw new Problem('malformed', `malformed JSON: ${error instanceof Error ? error.message : ''}`.slice(0, 500));
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The methods that routes at this path answer. */
function methodsAt(app: Hono<Bindings>, path: string): string[] {
  // The route of everything else always matches.
  return METHODS.filter((method) => app.router.match(method, path)[0].length > 1);
}

const unauthorized = () => new Problem('unauthorized', 'unauthorized', { 'www-authenticate': 'Bearer' });

/** @returns what answers requests, for hono's Node adapter */
export function dispatcher(options: DispatchOptions): Hono<Bindings> {
  const { guard, surfaces, ending } = options;
  const app = new Hono<Bindings>();

  const headOf = (request: IncomingMessage): RequestHead => ({
    method: request.method ?? '',
    path: pathOf(request),
    query: queryOf(request),
    headers: request.headers,
  });
  /** @throws Problem when nobody is known, or there is no room for one more */
  function caller(request: IncomingMessage, head: RequestHead, route: Route | null): Principal {
    const own = route?.auth === 'key' ? route.evidence : undefined;
    const principal = callerOf(guard, surfaces, head, own);
    if (principal === null) throw unauthorized();
    if (!options.admit(request)) throw new Problem('busy', 'too many connections', { 'retry-after': '1' });
    return principal;
  }
  async function bodyOf(request: IncomingMessage, response: ServerResponse, { body }: Route): Promise<string> {
    if (!body) return '';
    checkType(request, body.types);
    checkSize(request, body.most);
    if (options.expectsContinue(request)) response.writeContinue();
    return readBody(request, body.most);
  }
  async function answer(
    route: Route,
    request: IncomingMessage,
    response: ServerResponse,
    params: Record<string, string>,
  ): Promise<Response> {
    const head = headOf(request);
    const principal = route.auth === 'key' ? caller(request, head, route) : null;
    if (options.draining() && !route.whileDraining)
      throw new Problem('draining', 'the server is about to end', { 'retry-after': '1' });
    const { stream = 'whole' } = route;
    if (request.method === 'HEAD' && stream !== 'whole') throw new Problem('method', 'HEAD is not answered here');
    const body = await bodyOf(request, response, route);
    const left = new AbortController();
    const over = new Promise<void>((resolve) => {
      response.on('close', () => {
        if (!response.writableFinished) left.abort();
        resolve();
      });
    });
    const exchange: PublicExchange = {
      ...head,
      params,
      body,
      json: () => parse(body),
      signal: left.signal,
      ending,
      over,
      cut: () => response.destroy(),
      draining: options.draining(),
    };
    if (route.auth === 'public') return route.handle(exchange);
    if (principal === null) throw unauthorized();
    const keyed: Exchange = { ...exchange, principal };
    return route.handle(keyed);
  }
  async function refused(request: IncomingMessage, response: ServerResponse, error: unknown): Promise<Response> {
    await refuse(request, response, asProblem(error), rendererAt(surfaces, pathOf(request)));
    return RESPONSE_ALREADY_SENT;
  }

  for (const { routes } of surfaces) {
    for (const route of routes) {
      app.on(route.method, route.path, async ({ env: { incoming, outgoing }, req }) => {
        try {
          const response = await answer(route, incoming, outgoing, req.param());
          // How long a connection is kept is the listener's business; a library may have its own idea of it.
          if (response.headers.has('connection')) response.headers.delete('connection');
          return response;
        } catch (error) {
          return refused(incoming, outgoing, error);
        }
      });
    }
  }
  // What is not served is refused like what is: nobody learns which paths there are without a token.
  app.all('*', ({ env: { incoming, outgoing }, req }) => {
    try {
      caller(incoming, headOf(incoming), null);
      const methods = methodsAt(app, req.path);
      throw methods.length > 0
        ? new Problem('method', `the method is one of ${methods.join(', ')}`, { allow: methods.join(', ') })
        : new Problem('not-found', 'not found');
    } catch (error) {
      return refused(incoming, outgoing, error);
    }
  });
  return app;
}
