/** The API of OpenAI over HTTP, in front of every agent. */

import { type PrivateDir, privateDir } from '../../process/temp-files.js';
import type { Core } from '../../runs/core.js';
import { Problem } from '../listen/problem.js';
import type { Exchange, Route, Surface } from '../listen/surface.js';
import { asApiError } from './as-error.js';
import type { Api } from './begin.js';
import { chat } from './chat.js';
import { errorResponse, problem } from './failure.js';
import { listModels, oneModel } from './models.js';
import { callerOf } from './requests.js';
import { cancelResponse, deleteResponse, getResponse, inputItems } from './response-store.js';
import { respond } from './responses.js';
import { retries } from './retries.js';
import { threads } from './threads.js';
import { turns } from './turns.js';

export interface OpenAiOptions {
  /** The runtime that answers for models of others (`gpt-4o`); they are unknown when absent. */
  fallback?: string | undefined;
  /** How long a turn waits for the results of the caller's tools, milliseconds. */
  suspendMs?: number;
}

const SUSPEND_MS = 10 * 60_000;
/** The suspended turn is ended before its call runs out of time. */
const MARGIN_MS = 30_000;
const BODY = { types: ['application/json'], most: 32 * 1024 * 1024 };
/** What the OpenAI SDKs send from a browser. */
const STAINLESS = ['arch', 'async', 'helper-method', 'lang', 'os', 'package-version', 'raw-response', 'read-timeout']
  .concat(['retry-count', 'runtime', 'runtime-version', 'timeout'])
  .map((name) => `x-stainless-${name}`);
const OWN = ['x-turnout-session-id', 'x-turnout-activity', 'x-hermes-session-id', 'x-mibyan-session-id'];

type Handle = (exchange: Exchange) => Response | Promise<Response>;

/** What a handler throws is answered in OpenAI's shape. */
function answering(handle: Handle): Handle {
  return async (exchange) => {
    try {
      return await handle(exchange);
    } catch (error) {
      return errorResponse(asApiError(error));
    }
  };
}

const get = (path: string, handle: Handle): Route => ({ method: 'GET', path, auth: 'key', handle: answering(handle) });
const post = (path: string, handle: Handle): Route => ({
  method: 'POST',
  path,
  auth: 'key',
  body: BODY,
  stream: 'events',
  handle: answering(handle),
});

const idIn = ({ params }: Exchange): string => params['id'] ?? '';

export function openAiSurface(core: Core, options: OpenAiOptions = {}): Surface {
  const { fallback, suspendMs = SUSPEND_MS } = options;
  const open = turns({ core, suspendMs });
  let empty: Promise<PrivateDir> | null = null;
  const api: Api = {
    core,
    rules: { runners: core.runners, fallback },
    created: Math.floor(Date.now() / 1000),
    threads: threads(),
    turns: open,
    retries: retries(),
    toolTimeoutMs: suspendMs + MARGIN_MS,
    async emptyFolder() {
      empty ??= privateDir();
      return (await empty).path;
    },
  };
  return {
    name: 'openai',
    under: ['/v1'],
    problem,
    cors: { accepts: ['idempotency-key', ...OWN, ...STAINLESS], exposes: ['x-turnout-session-id', 'x-turnout-run-id'] },
    routes: [
      get('/v1/models', async () => {
        return Response.json({ object: 'list', data: await listModels(core, api.created) });
      }),
      get('/v1/models/:id{.+}', ({ params }) => {
        if (params['id'] === undefined) throw new Problem('not-found', 'not found');
        return Response.json(oneModel(params['id'], api.rules, api.created));
      }),
      post('/v1/chat/completions', (exchange) => chat(exchange, api)),
      post('/v1/responses', (exchange) => respond(exchange, api)),
      get('/v1/responses/:id', async (exchange) =>
        Response.json(await getResponse(core, callerOf(exchange), idIn(exchange))),
      ),
      get('/v1/responses/:id/input_items', async (exchange) =>
        Response.json(await inputItems(core, callerOf(exchange), idIn(exchange))),
      ),
      {
        ...get('/v1/responses/:id', async (exchange) =>
          Response.json(await deleteResponse(core, callerOf(exchange), idIn(exchange))),
        ),
        method: 'DELETE',
      },
      {
        ...get('/v1/responses/:id/cancel', async (exchange) =>
          Response.json(await cancelResponse(core, callerOf(exchange), idIn(exchange))),
        ),
        method: 'POST',
      },
    ],
    async close() {
      open.close();
      if (empty !== null) await (await empty).remove();
    },
  };
}
