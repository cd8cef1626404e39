/** Recognises calls that go to an MCP server we gave the agent, whatever it calls them. */

import type { Quirks } from './quirks.js';

/** Name of our own server. */
export const OWN_SERVER = 'turnout';

export interface ServerTool {
  server: string;
  tool: string;
}

/** What an update tells about a call, besides its input. */
export interface CallNames {
  id: string;
  title: string | undefined;
  name: string | undefined;
}

/** @returns the tool's part of a text built like the template, or undefined */
function match(template: string, server: string, text: string, whole: boolean): string | undefined {
  const [before = '', after = ''] = template.replace('{server}', server).split('{tool}');
  if (!text.startsWith(before) || text.length <= before.length + after.length) return undefined;
  if (!whole) return text.slice(before.length);
  return text.endsWith(after) ? text.slice(before.length, text.length - after.length) : undefined;
}

/** @param servers names as they were given to the agent */
export function serverTool(quirks: Quirks, call: CallNames, servers: readonly string[]): ServerTool | undefined {
  for (const server of servers) {
    const plain = quirks.plainServer ? server.replace(quirks.plainServer, '_') : server;
    for (const text of [call.name, call.title]) {
      if (text === undefined) continue;
      for (const template of quirks.mcpNames.title) {
        const tool = match(template, plain, text, true);
        if (tool !== undefined) return { server, tool };
      }
    }
    for (const template of quirks.mcpNames.id ?? []) {
      const tool = match(template, plain, call.id, false);
      if (tool !== undefined) return { server, tool };
    }
  }
  return undefined;
}
