/**
 * The extension that pi loads for one turn: it asks us about every tool call, runs the caller's tools through us, and
 * registers the servers of `--mcp-config`. It talks over dialogs, which RPC mode passes through its own pipe.
 */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';

/** Titles of our dialogs; other extensions can't guess them. */
export function titles(machine: Machine): { hello: string; ask: string; call: string } {
  const { nonce } = machine.ids;
  return { hello: `turnout-${nonce}-hello`, ask: `turnout-${nonce}-ask`, call: `turnout-${nonce}-call` };
}

/** A server's name inside the names of its tools. */
export function toolPrefix(server: string): string {
  return `mcp__${server.replace(/[^A-Za-z0-9_]/g, '_')}__`;
}

/** Whether pi's own tools are asked about. */
function isGated(request: TurnRequest): boolean {
  return request.access !== 'full';
}

/** Whether the turn needs the extension at all. */
export function needsExtension(request: TurnRequest): boolean {
  return isGated(request) || request.tools.length > 0 || request.mcpServers.length > 0;
}

const BODY = `
const read = (text) => {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
};

export default (pi) => {
  const isOurs = (name) => config.tools.some((tool) => tool.name === name);
  const isForeign = (name) =>
    !config.userServers && name.startsWith('mcp__') && !config.prefixes.some((prefix) => name.startsWith(prefix));

  pi.on('session_start', (_event, ctx) => ctx.ui.notify(config.titles.hello, 'info'));
  pi.on('before_agent_start', (event) => {
    const options = event.systemPromptOptions;
    if (options?.selectedTools?.some(isForeign)) {
      options.selectedTools = options.selectedTools.filter((name) => !isForeign(name));
    }
  });
  pi.on('tool_call', async (event, ctx) => {
    if (isOurs(event.toolName)) return undefined;
    if (isForeign(event.toolName)) return { block: true, reason: 'This MCP server is not part of this session.' };
    if (!config.gated) return undefined;
    try {
      const question = JSON.stringify({ id: event.toolCallId, name: event.toolName, input: event.input });
      const verdict = read(await ctx.ui.input(config.titles.ask, question, { signal: ctx.signal }));
      if (verdict?.allow === true) return undefined;
      return { block: true, reason: verdict?.message || 'Denied.' };
    } catch (error) {
      return { block: true, reason: String(error) };
    }
  });
  for (const tool of config.tools) {
    pi.registerTool({
      name: tool.name,
      label: tool.name,
      description: tool.description,
      parameters: tool.schema,
      async execute(id, args, signal, _onUpdate, ctx) {
        const call = JSON.stringify({ id, name: tool.name, args });
        const answer = read(await ctx.ui.input(config.titles.call, call, { signal }));
        if (answer?.ok !== true) throw new Error(answer?.text ?? 'ERROR: exec terminated');
        return { content: [{ type: 'text', text: answer.text }], details: {} };
      },
    });
  }
  for (const [name, server] of Object.entries(config.servers)) pi.registerMcpServer(name, server);
};
`;

/** @returns the extension's source, with everything it has to know written into it */
export function extension(request: TurnRequest, machine: Machine): string {
  const servers: JsonObject = {};
  for (const server of request.mcpServers) {
    servers[server.name] =
      server.type === 'stdio'
        ? {
            command: server.command,
            args: server.args,
            env: { ...server.env, TURNOUT_TURN: machine.ids.turn },
            exposure: 'direct',
          }
        : { url: server.url, headers: server.headers, exposure: 'direct' };
  }
  const config = {
    titles: titles(machine),
    gated: isGated(request),
    userServers: request.settings.includes('user'),
    prefixes: request.mcpServers.map((server) => toolPrefix(server.name)),
    tools: request.tools.map(({ name, description, schema }) => ({ name, description, schema })),
    servers,
  };
  return `const config = ${JSON.stringify(config)};\n${BODY}`;
}
