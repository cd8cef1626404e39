/**
 * MCP over HTTP: 2026-07-28 request by request, older revisions in sessions, so that a person can be asked there too.
 * Who may speak at all was decided before.
 */

import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  legacyStatelessFallback,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { LIMITS } from '../../contract/limits.js';
import type { Principal } from '../../contract/principal.js';
import type { Core } from '../../runs/core.js';
import { redact, secretValues } from '../../text/redact.js';
import type { Exchange } from '../listen/surface.js';
import { DEFAULT_MAX_DEPTH, maxDepth, ownDepth } from './depth.js';
import { sessionTable } from './http-sessions.js';
import { mcpServers } from './server.js';
import type { McpAllowed, McpSettings } from './settings.js';
import { waiting } from './waiting.js';

export interface McpRoute {
  answer(exchange: Exchange): Promise<Response>;
  /** Ends what is being answered, and all sessions. */
  close(): Promise<void>;
}

const SESSION_HEADER = 'mcp-session-id';
const SIZE = { maxRequestBodySize: LIMITS.frameLine };

function refuse(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32_001, message }, id: null }, { status });
}

/** The exchange as the library takes it. */
function requestOf({ method, path, headers, body, signal }: Exchange): Request {
  const given = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  return new Request(`http://${headers.host ?? 'localhost'}${path}`, {
    method,
    headers: Object.fromEntries(given),
    signal,
    ...(method === 'POST' ? { body } : {}),
  });
}

/** A body that is no JSON is somebody else's to complain about. */
async function begins(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return false;
  try {
    return isInitializeRequest(await request.clone().json());
  } catch {
    return false;
  }
}

/** @param complain told what a client can't be told */
function mcpRoute(settings: McpSettings, complain: (message: string) => void): McpRoute {
  const factory = mcpServers(settings);
  const onerror = (error: Error) => complain(error.message);
  const modern = createMcpHandler(factory, { legacy: 'reject', onerror, ...SIZE });
  const stateless = legacyStatelessFallback(factory, onerror, SIZE);
  const sessions = sessionTable();

  async function open(request: Request): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.put(id, transport),
    });
    transport.onclose = () => sessions.drop(transport.sessionId ?? '');
    const server = factory({ era: 'legacy', requestInfo: request });
    server.onerror = onerror;
    await server.connect(transport);
    return transport.handleRequest(request);
  }
  async function fetch(request: Request): Promise<Response> {
    if (!(await isLegacyRequest(request, undefined, SIZE))) return modern.fetch(request);
    const id = request.headers.get(SESSION_HEADER);
    if (id !== null) return sessions.get(id)?.handleRequest(request) ?? refuse(404, 'there is no such session');
    // Clients that keep no session are served too, without questions.
    return (await begins(request)) ? open(request) : stateless(request);
  }

  return {
    async answer(exchange) {
      const id = exchange.headers[SESSION_HEADER];
      if (typeof id === 'string') sessions.use(id, (done) => void exchange.over.then(done));
      return fetch(requestOf(exchange));
    },
    async close() {
      await modern.close();
      await sessions.close();
    },
  };
}

/** The route of one caller, on a server whose core serves other protocols too. */
export function mcpAt(
  core: Core,
  principal: Principal,
  allowed: McpAllowed,
  env: NodeJS.ProcessEnv,
  complain: (message: string) => void,
): McpRoute {
  const settings: McpSettings = {
    caller: { principal, surface: 'mcp' },
    ...allowed,
    core,
    depth: ownDepth(env),
    maxDepth: maxDepth(allowed.maxDepth ?? DEFAULT_MAX_DEPTH, env),
    waiting: waiting(),
    secrets: secretValues(env),
  };
  return mcpRoute(settings, (message) => complain(redact(message, settings.secrets)));
}
