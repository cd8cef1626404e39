/** MCP at `/mcp` of the HTTP listener. Its libraries are loaded when it is first asked. */

import { LIMITS } from '../../contract/limits.js';
import type { Principal } from '../../contract/principal.js';
import type { Core } from '../../runs/core.js';
import type { RenderProblem } from '../listen/problem.js';
import type { Exchange, Route, Surface } from '../listen/surface.js';
import type { McpRoute } from './http.js';
import type { McpAllowed } from './settings.js';

const problem: RenderProblem = ({ status, message }) => ({ status, body: { kind: 'error', message } });

/** @param complain is given what a client can't be told */
export function mcpSurface(
  core: Core,
  allowed: McpAllowed,
  env: NodeJS.ProcessEnv,
  complain: (message: string) => void,
): Surface {
  /** One for each caller: nobody finds another's sessions and runs. */
  const loaded = new Map<string, Promise<McpRoute>>();
  const load = async (principal: Principal) => {
    const { mcpAt } = await import('./http.js');
    return mcpAt(core, principal, allowed, env, complain);
  };
  async function handle(exchange: Exchange): Promise<Response> {
    const { principal } = exchange;
    const route = loaded.get(principal.name) ?? load(principal);
    loaded.set(principal.name, route);
    return (await route).answer(exchange);
  }
  const route = (method: Route['method']): Route => ({
    method,
    path: '/mcp',
    auth: 'key',
    // The protocol's library says which types it takes, in the protocol's own words.
    ...(method === 'POST' ? { body: { types: null, most: LIMITS.frameLine } } : {}),
    stream: 'events',
    handle,
  });
  return {
    name: 'mcp',
    under: ['/mcp'],
    problem,
    cors: {
      accepts: ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id', 'turnout-depth'],
      exposes: ['mcp-session-id'],
    },
    routes: [route('POST'), route('GET'), route('DELETE')],
    async close() {
      for (const route of loaded.values()) await (await route).close();
    },
  };
}
