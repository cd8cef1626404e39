/** The API of OpenAI over HTTP, in front of every agent. */

import type { ModelLists } from '../../inspect/model-options.js';
import { type PrivateDir, privateDir } from '../../process/temp-files.js';
import type { Core } from '../../runs/core.js';
import { Problem } from '../listen/problem.js';
import type { Exchange, Surface } from '../listen/surface.js';
import type { Api } from './begin.js';
import { capabilities } from './capabilities.js';
import { chat } from './chat.js';
import { problem } from './failure.js';
import { detailed } from './health.js';
import { apiKey, messagesSurface } from './messages/surface.js';
import { optionsShown } from './model-options.js';
import { asAnthropic, listModels, oneModel } from './models.js';
import { type Compat, namesOf } from './names.js';
import { callerOf } from './requests.js';
import { cancelResponse, deleteResponse, getResponse, inputItems } from './response-store.js';
import { respond } from './responses.js';
import { retries } from './retries.js';
import { get, post, remove } from './routing.js';
import { runRoutes } from './runs/routes.js';
import { sessionRoutes } from './sessions/routes.js';
import { threads } from './threads.js';
import { turns } from './turns.js';

export interface OpenAiOptions {
  /** The runtime that answers for models of others (`gpt-4o`); they are unknown when absent. */
  fallback?: string | undefined;
  /** How long a turn waits for the results of the caller's tools, milliseconds. */
  suspendMs?: number;
  /** Whether callers show a key, and pages of other origins may call: as the listener was told. */
  auth?: boolean;
  cors?: boolean;
  /** Whose names runs, sessions and capabilities bear; ours when absent. */
  compat?: Compat | undefined;
  /** How long a permission question of a run waits, milliseconds. */
  patienceMs?: number;
  /** Reports a fault of ours that no request can be answered with. */
  complain?(text: string): void;
}

const SUSPEND_MS = 10 * 60_000;
/** The suspended turn is ended before its call runs out of time. */
const MARGIN_MS = 30_000;
/** What the OpenAI SDKs send from a browser. */
const STAINLESS = ['arch', 'async', 'helper-method', 'lang', 'os', 'package-version', 'raw-response', 'read-timeout']
  .concat(['retry-count', 'runtime', 'runtime-version', 'timeout'])
  .map((name) => `x-stainless-${name}`);
const OWN = ['x-turnout-session-id', 'x-turnout-session-key', 'x-turnout-activity'].concat([
  'x-hermes-session-id',
  'x-hermes-session-key',
  'x-mibyan-session-id',
]);

/** Its SDKs name the version of the API that they speak. */
const isAnthropic = ({ headers }: Exchange): boolean => headers['anthropic-version'] !== undefined;

const idIn = ({ params }: Exchange): string => params['id'] ?? '';

/** The surfaces of all APIs that answer from the same turns. */
export function openAiSurfaces(core: Core, options: OpenAiOptions = {}): Surface[] {
  const { compat, auth = true, cors = false, suspendMs = SUSPEND_MS, complain = () => {} } = options;
  const names = namesOf(compat);
  // Clients of hermes-agent send whatever model they know.
  const fallback = options.fallback ?? (compat === 'hermes' ? 'auto' : undefined);
  const open = turns({ core, suspendMs });
  const lists: ModelLists = new Map();
  let empty: Promise<PrivateDir> | null = null;
  const api: Api = {
    core,
    rules: { runners: core.runners, fallback, virtual: names.model },
    created: Math.floor(Date.now() / 1000),
    threads: threads(),
    turns: open,
    retries: retries(),
    toolTimeoutMs: suspendMs + MARGIN_MS,
    adopts: compat === 'hermes',
    complain: (error) => complain(`/v1: ${error instanceof Error ? error.message : String(error)}`),
    async emptyFolder() {
      empty ??= privateDir();
      return (await empty).path;
    },
  };
  const openai: Surface = {
    name: 'openai',
    under: ['/v1', '/api/sessions', '/api/model'],
    problem,
    cors: { accepts: ['idempotency-key', ...OWN, ...STAINLESS], exposes: ['x-turnout-session-id', 'x-turnout-run-id'] },
    routes: [
      {
        ...get('/v1/models', async (exchange) => {
          const listed = await listModels(core, api.created, compat);
          const data = isAnthropic(exchange) ? listed.map(asAnthropic) : listed;
          const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: false };
          return Response.json({ object: 'list', data, ...(isAnthropic(exchange) ? ends : {}) });
        }),
        evidence: apiKey,
      },
      {
        ...get('/v1/models/:id{.+}', (exchange) => {
          const { id } = exchange.params;
          if (id === undefined) throw new Problem('not-found', 'not found');
          const found = oneModel(id, api.rules, api.created);
          return Response.json(isAnthropic(exchange) ? asAnthropic(found) : found);
        }),
        evidence: apiKey,
      },
      post('/v1/chat/completions', (exchange) => chat(exchange, api)),
      post('/v1/responses', (exchange) => respond(exchange, api)),
      get('/v1/responses/:id', async (exchange) =>
        Response.json(await getResponse(core, callerOf(exchange), idIn(exchange))),
      ),
      get('/v1/responses/:id/input_items', async (exchange) =>
        Response.json(await inputItems(core, callerOf(exchange), idIn(exchange))),
      ),
      remove('/v1/responses/:id', async (exchange) =>
        Response.json(await deleteResponse(core, callerOf(exchange), idIn(exchange))),
      ),
      {
        ...get('/v1/responses/:id/cancel', async (exchange) =>
          Response.json(await cancelResponse(core, callerOf(exchange), idIn(exchange))),
        ),
        method: 'POST',
      },
      ...runRoutes(api, names, options.patienceMs),
      ...sessionRoutes(api, names, options.patienceMs),
      get('/api/model/options', async (exchange) => Response.json(await optionsShown(exchange, core, lists))),
      get('/health/detailed', async (exchange) => Response.json(await detailed(exchange, core, names))),
      get('/v1/capabilities', () => Response.json(capabilities({ names, auth, cors }))),
    ],
    async close() {
      open.close();
      if (empty !== null) await (await empty).remove();
    },
  };
  return [openai, messagesSurface(api)];
}
