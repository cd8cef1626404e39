/** The one MCP server of caller tools, without a transport: messages in, messages out (MCP 2024-11-05 to 2025-11-25). */

import type { ToolDefinition } from '../contract/tool.js';
import type { JsonObject } from '../contract/vocabulary.js';
import { obj, str } from '../text/json.js';

const SERVER_NAME = 'turnout';
const NEWEST = '2025-11-25';
const KNOWN = new Set(['2024-11-05', '2025-03-26', '2025-06-18', NEWEST]);

export interface McpCore {
  /** @param channel names the connection the message came over */
  receive(channel: string, message: JsonObject): void;
  /** A connection is gone: nobody waits for its calls. */
  closed(channel: string): void;
  /** Whether anybody asked for the list of tools. */
  listed(): boolean;
}

export function mcpCore(options: {
  tools: readonly ToolDefinition[];
  version: string;
  send(channel: string, message: JsonObject): void;
  call(key: string, name: string, args: JsonObject, answer: (ok: boolean, text: string) => void): void;
  withdraw(key: string): void;
}): McpCore {
  const { tools, send } = options;
  let listed = false;
  const open = new Map<string, Set<string>>();
  const reply = (channel: string, id: number | string, result: JsonObject) =>
    send(channel, { jsonrpc: '2.0', id, result });
  const fail = (channel: string, id: number | string, code: number, message: string) =>
    send(channel, { jsonrpc: '2.0', id, error: { code, message } });
  const keyOf = (channel: string, id: number | string) => `mcp ${channel} ${typeof id} ${id}`;

  const callTool = (channel: string, id: number | string, params: JsonObject) => {
    const name = str(params, 'name');
    if (name === undefined) return fail(channel, id, -32602, 'tools/call needs a name');
    const key = keyOf(channel, id);
    const keys = open.get(channel) ?? new Set<string>();
    open.set(channel, keys.add(key));
    options.call(key, name, obj(params, 'arguments') ?? {}, (ok, text) => {
      if (!keys.delete(key)) return;
      reply(channel, id, { content: [{ type: 'text', text }], isError: !ok });
    });
  };

  return {
    receive(channel, message) {
      const { id } = message;
      const method = str(message, 'method');
      const params = obj(message, 'params') ?? {};
      if (method === undefined) return;
      if (typeof id !== 'number' && typeof id !== 'string') {
        const cancelled = params['requestId'];
        if (method !== 'notifications/cancelled') return;
        if (typeof cancelled !== 'number' && typeof cancelled !== 'string') return;
        const key = keyOf(channel, cancelled);
        if (open.get(channel)?.delete(key)) options.withdraw(key);
        return;
      }
      switch (method) {
        case 'initialize': {
          const asked = str(params, 'protocolVersion');
          return reply(channel, id, {
            protocolVersion: asked !== undefined && KNOWN.has(asked) ? asked : NEWEST,
            capabilities: { tools: { listChanged: false } },
            serverInfo: { name: SERVER_NAME, version: options.version },
          });
        }
        case 'ping':
          return reply(channel, id, {});
        case 'tools/list':
          listed = true;
          return reply(channel, id, {
            tools: tools.map((tool) => ({ name: tool.name, description: tool.description, inputSchema: tool.schema })),
          });
        case 'tools/call':
          return callTool(channel, id, params);
        case 'resources/list':
          return reply(channel, id, { resources: [] });
        case 'resources/templates/list':
          return reply(channel, id, { resourceTemplates: [] });
        case 'prompts/list':
          return reply(channel, id, { prompts: [] });
        default:
          return fail(channel, id, -32601, `${method} is not supported`);
      }
    },
    closed(channel) {
      for (const key of open.get(channel) ?? []) options.withdraw(key);
      open.delete(channel);
    },
    listed: () => listed,
  };
}
