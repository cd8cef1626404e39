/** The MCP servers that a client names → those of a turn. */

import { type McpServer as Named, RequestError } from '@agentclientprotocol/sdk/unstable';
import type { McpServer } from '../../runner/request.js';

const table = (pairs: readonly { name: string; value: string }[]): Record<string, string> =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));

/** @throws RequestError invalid params, for a server that is reached in a way we did not offer, or a name that is there twice */
export function mcpServers(named: readonly Named[]): McpServer[] {
  const servers = named.map((one): McpServer => {
    if (!('type' in one)) {
      const { name, command, args, env } = one;
      return { name, type: 'stdio', command, args: [...args], env: table(env) };
    }
    if (one.type === 'acp') {
      const reason = `MCP server ${one.name}: servers over ACP are not taken`;
      throw RequestError.invalidParams({ reason }, reason);
    }
    return { name: one.name, type: one.type, url: one.url, headers: table(one.headers) };
  });
  const names = new Set<string>();
  for (const { name } of servers) {
    const reason = name === '' ? 'an MCP server has no name' : `two MCP servers are called ${name}`;
    if (name === '' || names.has(name)) throw RequestError.invalidParams({ reason }, reason);
    names.add(name);
  }
  return servers;
}
