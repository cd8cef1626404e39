/**
 * The page at `/`: its files, who may look, and what it asks for. Everything below `/page` is its own business and may
 * change with it; programs use the ops (docs/server.md).
 */

import type { AccessMode, Json } from '../../contract/vocabulary.js';
import type { Core } from '../../runs/core.js';
import type { Caller } from '../../runs/ports.js';
import { str } from '../../text/json.js';
import type { RenderProblem } from '../listen/problem.js';
import { Problem } from '../listen/problem.js';
import type { Exchange, KeyedRoute, PublicExchange, Surface } from '../listen/surface.js';
import { answered } from './answered.js';
import { assets } from './assets.js';
import { cookieName, pageEvidence, visitOf } from './evidence.js';
import { eventFeed, watchFeed } from './feed.js';
import { doctorReport, modelList, runtimeList } from './machine.js';
import { aboutRun, aboutSession, command, newestSessions, patchText, spending } from './queries.js';
import { pageModes, startTurn } from './turns.js';
import { VISIT_MS, type Visits, visits } from './visits.js';

export { pageFolder } from './assets.js';

export interface PageOptions {
  /** dist/page. */
  folder: string;
  /** The widest mode that the page may ask for. */
  access: AccessMode;
  visits?: Visits;
}

/** Wrong codes a minute, from everybody together; whoever has a right one is let in all the same. */
const WRONG_CODES = 5;
const MINUTE = 60_000;
/** Prompts with pictures. */
const MOST_BODY = 32 * 1024 * 1024;
const JSON_BODY = { types: ['application/json'], most: 64 * 1024 };

const problem: RenderProblem = ({ status, code, message }) => ({ status, body: { error: { code, message } } });

const callerOf = ({ principal }: Exchange): Caller => ({ principal, surface: 'page' });

/** @throws Problem 400 */
function fromNumber(exchange: Exchange, name: string): number | undefined {
  const given = exchange.query.get(name);
  if (given === null) return undefined;
  if (!/^\d{1,15}$/.test(given)) throw new Problem('malformed', `${name}: expected a whole number`);
  return Number(given);
}

export function pageSurface(core: Core, options: PageOptions): Surface {
  const files = assets(options.folder);
  const guests = options.visits ?? visits();
  const evidence = pageEvidence(guests);
  let wrong: number[] = [];

  function enter(exchange: PublicExchange): Response {
    const now = performance.now();
    wrong = wrong.filter((at) => at > now - MINUTE);
    const body: Json = exchange.json();
    const visit = guests.enter(str(body, 'code') ?? '');
    if (!visit) {
      if (wrong.length >= WRONG_CODES)
        return Response.json(
          { error: { code: 'busy', message: 'too many wrong codes; wait a minute' } },
          { status: 429, headers: { 'retry-after': '60' } },
        );
      wrong.push(now);
      throw new Problem(
        'unauthorized',
        'this code is unknown, was used, or is older than a minute: `turnout page` gives another',
      );
    }
    const secure = exchange.headers.origin?.startsWith('https://') === true ? '; Secure' : '';
    const kept = `Max-Age=${VISIT_MS / 1000}; HttpOnly; SameSite=Strict; Path=/page${secure}`;
    return Response.json(
      { nonce: visit.nonce },
      { headers: { 'set-cookie': `${cookieName(exchange)}=${visit.id}; ${kept}` } },
    );
  }
  function leave(exchange: Exchange): Response {
    const id = visitOf(exchange);
    if (id !== null) guests.leave(id);
    return Response.json({}, { headers: { 'set-cookie': `${cookieName(exchange)}=; Max-Age=0; Path=/page` } });
  }
  const keyed = (
    method: KeyedRoute['method'],
    path: string,
    handle: (exchange: Exchange) => Response | Promise<Response>,
    more: Partial<KeyedRoute> = {},
  ): KeyedRoute => ({ method, path: `/page${path}`, auth: 'key', evidence, handle: answered(handle), ...more });
  const get = (path: string, value: (exchange: Exchange) => Promise<object>): KeyedRoute =>
    keyed('GET', path, async (exchange) => Response.json(await value(exchange)));

  return {
    name: 'page',
    under: ['/page'],
    problem,
    routes: [
      { method: 'GET', path: '/', auth: 'public', handle: () => files.document() },
      {
        method: 'GET',
        path: '/page/files/:name',
        auth: 'public',
        handle: ({ params }) => files.file(params['name'] ?? ''),
      },
      { method: 'POST', path: '/page/visit', auth: 'public', body: JSON_BODY, handle: enter },
      keyed('DELETE', '/visit', leave),
      // For `turnout page`, which shows the token: a visit can't beget another one.
      {
        method: 'POST',
        path: '/page/code',
        auth: 'key',
        body: JSON_BODY,
        handle: ({ principal }) => Response.json({ code: guests.invite(principal) }),
      },
      get('/me', async ({ principal }) => ({
        version: core.version,
        cwd: core.cwd,
        access: pageModes(options.access),
        principal: principal.name,
      })),
      keyed(
        'GET',
        '/watch',
        (exchange) => watchFeed(core, exchange, callerOf(exchange), fromNumber(exchange, 'after')),
        {
          stream: 'lines',
        },
      ),
      get('/runs/:run_id', (exchange) => aboutRun(core, exchange, callerOf(exchange))),
      keyed(
        'GET',
        '/runs/:run_id/events',
        (exchange) => eventFeed(core, exchange, callerOf(exchange), fromNumber(exchange, 'since') ?? 0),
        { stream: 'lines' },
      ),
      get('/runs/:run_id/patch', (exchange) => patchText(core, exchange, callerOf(exchange))),
      keyed(
        'POST',
        '/runs/:run_id',
        async (exchange) => Response.json(await command(core, exchange, callerOf(exchange))),
        { body: { ...JSON_BODY, most: MOST_BODY } },
      ),
      keyed(
        'POST',
        '/turns',
        async (exchange) => {
          const { run, replayed } = await startTurn(core, exchange.json(), callerOf(exchange), options.access);
          return Response.json({ run_id: run.run_id, session_id: run.session_id, status: run.status, replayed });
        },
        { body: { ...JSON_BODY, most: MOST_BODY } },
      ),
      get('/sessions', (exchange) => newestSessions(core, callerOf(exchange))),
      get('/sessions/:id', (exchange) => aboutSession(core, exchange, callerOf(exchange))),
      get('/runtimes', () => runtimeList(core)),
      get('/models/:runtime', ({ params }) => modelList(core, params['runtime'] ?? '')),
      get('/doctor', () => doctorReport(core)),
      get('/spent', (exchange) => spending(core, exchange, callerOf(exchange))),
    ],
  };
}
