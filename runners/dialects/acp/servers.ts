/** The MCP servers a session is opened with: our own MCP bridge for caller tools, and those of `--mcp-config`. */

import type { McpServerStatus } from '../../../src/contract/event.js';
import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import type { Machine } from '../../../src/runner/machine.js';
import type { McpServer, TurnRequest } from '../../../src/runner/request.js';
import { bool } from '../../../src/text/json.js';
import { OWN_SERVER } from './names.js';

const pairs = (record: Readonly<Record<string, string>>): JsonObject[] =>
  Object.entries(record).map(([name, value]) => ({ name, value }));

function param(server: McpServer): JsonObject {
  return server.type === 'stdio'
    ? { name: server.name, command: server.command, args: server.args, env: pairs(server.env) }
    : { type: server.type, name: server.name, url: server.url, headers: pairs(server.headers) };
}

/** Names of all servers the agent is given. */
export function serverNames(request: TurnRequest, machine: Machine): string[] {
  return [...(machine.mcpBridge ? [OWN_SERVER] : []), ...request.mcpServers.map(({ name }) => name)];
}

/** The state of the caller's servers once the session is open. Most agents don't report it. */
export function serverStates(
  request: TurnRequest,
  told: ReadonlyMap<string, Omit<McpServerStatus, 'name'>>,
  logged: boolean,
): McpServerStatus[] {
  const given = request.mcpServers.map(({ name }) => name);
  const named = request.requireMcp === 'all' ? [] : (request.requireMcp ?? []);
  // Servers from the user's own settings are reported when they must be ready.
  const others = named.filter((name) => !given.includes(name) && told.has(name));
  const unsaid = { status: logged ? 'ready' : 'unknown' };
  return [...given, ...others].map((name) => ({ name, ...(told.get(name) ?? unsaid) }));
}

/** Whether a server that must be ready has not reported yet, where the program reports at all. */
export function awaited({ requireMcp, mcpServers }: TurnRequest, told: ReadonlyMap<string, unknown>): boolean {
  if (requireMcp === undefined) return false;
  const wanted = requireMcp === 'all' ? mcpServers.map(({ name }) => name) : requireMcp;
  return wanted.some((name) => !told.has(name));
}

/**
 * @param capabilities `agentCapabilities` of the answer to `initialize`: http and sse need its consent
 * @returns the parameter, and the names of servers the agent can't take
 */
export function mcpServers(
  request: TurnRequest,
  machine: Machine,
  capabilities: Json | undefined,
): { servers: JsonObject[]; refused: string[] } {
  const bridge = machine.mcpBridge;
  const servers: JsonObject[] = [];
  const refused: string[] = [];
  if (bridge)
    servers.push({ name: OWN_SERVER, command: bridge.command, args: [...bridge.args], env: pairs(bridge.env) });
  for (const server of request.mcpServers) {
    const takes = server.type === 'stdio' || bool(capabilities, 'mcpCapabilities', server.type) === true;
    if (takes) servers.push(param(server));
    else refused.push(server.name);
  }
  return { servers, refused };
}
