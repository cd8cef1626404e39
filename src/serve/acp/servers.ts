/** The MCP servers that a client names → those of a turn. */

import type { McpServer as Named } from '@agentclientprotocol/sdk/unstable';
import type { McpServer } from '../../runner/request.js';
import { invalid } from './errors.js';

const table = (pairs: readonly { name: string; value: string }[]): Record<string, string> =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));

/** @throws RequestError invalid params, for a server that is reached in a way we did not offer, or a name that is there twice */
export function mcpServers(named: readonly Named[]): McpServer[] {
  const servers = named.map((one): McpServer => {
    if (!('type' in one)) {
      const { name, command, args, env } = one;
      return { name, type: 'stdio', command, args: [...args], env: table(env) };
    }
    if (one.type === 'acp') throw invalid(`MCP server ${one.name}: servers over ACP are not taken`);
    return { name: one.name, type: one.type, url: one.url, headers: table(one.headers) };
  });
  const names = new Set<string>();
  for (const { name } of servers) {
    if (name === '') throw invalid('an MCP server has no name');
    if (names.has(name)) throw invalid(`two MCP servers are called ${name}`);
    names.add(name);
  }
  return servers;
}
