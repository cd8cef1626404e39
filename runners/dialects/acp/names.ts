/** Recognises calls that go to an MCP server we gave the agent, whatever it calls them. */

import type { Quirks } from './quirks.js';

/** Name of our own server. */
export const OWN_SERVER = 'turnout';

export interface ServerTool {
  server: string;
  tool: string;
}

/** @returns the tool's part of a text built like the template, or undefined */
function match(template: string, server: string, text: string): string | undefined {
  const [before = '', after = ''] = template.replace('{server}', () => server).split('{tool}');
  if (text.length <= before.length + after.length || !text.startsWith(before) || !text.endsWith(after))
    return undefined;
  return text.slice(before.length, text.length - after.length);
}

/** @param servers names as they were given to the agent */
export function serverTool(
  quirks: Quirks,
  call: { title: string | undefined; name: string | undefined },
  servers: readonly string[],
): ServerTool | undefined {
  for (const server of servers) {
    const plain = quirks.plainServer ? server.replace(quirks.plainServer, '_') : server;
    for (const text of [call.name, call.title]) {
      if (text === undefined) continue;
      for (const template of quirks.mcpNames) {
        const tool = match(template, plain, text);
        if (tool !== undefined) return { server, tool };
      }
    }
  }
  return undefined;
}
