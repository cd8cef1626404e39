/** The MCP server of one caller: what it offers and how its calls are answered, the same in both eras. */

import {
  type CallToolResult,
  type InputRequiredResult,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import type { JsonObject } from '../../contract/vocabulary.js';
import { isObject } from '../../text/json.js';
import { onlyKnown } from './arguments.js';
import { type Call, callOf } from './call.js';
import { refusal } from './results.js';
import type { McpSettings } from './settings.js';
import { type McpTool, tools } from './tools.js';
import { listTranscripts, readTranscript, transcriptTemplates } from './transcripts.js';

const INSTRUCTIONS =
  'Other agents on this machine (Claude Code, Codex, Gemini CLI and more) can be given tasks: agent_scan lists them, ' +
  'agent_exec gives one a task and waits, agent_start does not wait. An agent knows only what its prompt says.';

/** Lists that are the same for everybody, and change only when we are started anew. */
const FIXED = { ttlMs: 5 * 60 * 1000, cacheScope: 'public' } as const;

async function work(
  { announced, work: does }: McpTool,
  fields: JsonObject,
  call: Call,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    onlyKnown(fields, Object.keys(announced.inputSchema.properties ?? {}));
    return await does(fields, call);
  } catch (error) {
    return refusal(error, call.settings.secrets);
  }
}

/** One instance for each connection (stdio, HTTP session) or each request (2026-07-28 over HTTP). */
export function mcpServers(settings: McpSettings): (context: McpRequestContext) => Server {
  const all = tools(settings);
  const byName = new Map(all.map((one) => [one.announced.name, one]));
  const { core, waiting } = settings;
  return ({ era }) => {
    const server = new Server(
      { name: 'turnout', title: 'Turnout', version: core.version },
      {
        capabilities: { tools: {}, resources: {} },
        instructions: INSTRUCTIONS,
        cacheHints: { 'tools/list': FIXED, 'server/discover': FIXED, 'resources/templates/list': FIXED },
        requestState: {
          verify(state) {
            if (!waiting.has(state)) throw new Error('no run waits with this handle');
          },
        },
      },
    );
    server.setRequestHandler('tools/list', () => ({ tools: all.map(({ announced }) => announced) }));
    server.setRequestHandler('tools/call', async ({ params }, ctx) => {
      const found = byName.get(params.name);
      if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
      const given: unknown = params.arguments ?? {};
      return work(found, isObject(given) ? given : {}, callOf(server, era, ctx, settings));
    });
    server.setRequestHandler('resources/list', () => listTranscripts(settings));
    server.setRequestHandler('resources/templates/list', () => transcriptTemplates());
    server.setRequestHandler('resources/read', ({ params }) => readTranscript(settings, params.uri));
    return server;
  };
}
