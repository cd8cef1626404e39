/** The caller's tools of one turn, over the transport the runner names. */

import type { ToolDefinition } from '../contract/tool.js';
import type { JsonObject, NoticeCode } from '../contract/vocabulary.js';
import type { PrivateDir } from '../process/temp-files.js';
import type { Machine } from '../runner/machine.js';
import type { TurnRequest } from '../runner/request.js';
import type { Runner } from '../runner/runner.js';
import type { OpenBridge } from '../tools/mcp-bridge.js';
import type { TurnTools } from '../turn/caller-tools.js';

export interface PreparedTools {
  refuse?: string;
  tools: TurnTools | null;
  offered: readonly ToolDefinition[];
  bridge: OpenBridge | null;
  mcpBridge: Machine['mcpBridge'];
}

const NONE: PreparedTools = { tools: null, offered: [], bridge: null, mcpBridge: null };

/** @param options.privateDir where the MCP bridge's socket may stand */
export async function turnTools(options: {
  runner: Runner;
  request: TurnRequest;
  machine: Machine;
  version: string;
  /** `none` opens no socket: a replay hears what came over it from its recording. */
  transport?: 'socket' | 'none';
  /** Hears every message that comes over the socket. */
  heard?(channel: string, message: JsonObject): void;
  privateDir(): Promise<PrivateDir>;
  notice(code: NoticeCode, message: string): void;
}): Promise<PreparedTools> {
  const { runner, request, machine } = options;
  if (!request.toolsOn) return NONE;
  const kind = runner.tools(request, machine);
  if (kind === 'none') return { ...NONE, refuse: `${runner.id} can't take the caller's tools (--tools stdio)` };
  if (request.tools.length === 0) return NONE;
  const [{ toolbox }, { mcpCore }] = await Promise.all([import('../tools/toolbox.js'), import('../tools/mcp-core.js')]);
  const box = await toolbox(request.tools, options.notice, {
    anyName: kind === 'prompt' || runner.anyToolName === true,
  });
  const handlers = { message: (_channel: string, _message: JsonObject) => {}, closed: (_channel: string) => {} };
  let bridge: OpenBridge | null = null;
  if (kind === 'mcp' && options.transport !== 'none') {
    const { openBridge } = await import('../tools/mcp-bridge.js');
    bridge = await openBridge((await options.privateDir()).path, {
      message(channel, message) {
        options.heard?.(channel, message);
        handlers.message(channel, message);
      },
      closed: (channel) => handlers.closed(channel),
    });
  }
  const open = bridge;
  let core: ReturnType<typeof mcpCore> | null = null;
  const tools: TurnTools = {
    toolbox: box,
    attach(host) {
      core = mcpCore({
        tools: box.offered,
        version: options.version,
        send(channel, message) {
          if (channel.startsWith('bridge-')) open?.send(channel, message);
          else host.send(channel, message);
        },
        call: host.call,
        withdraw: host.withdraw,
      });
      handlers.message = (channel, message) => core?.receive(channel, message);
      handlers.closed = (channel) => core?.closed(channel);
    },
    receive: (channel, message) => core?.receive(channel, message),
    listed: () => (kind === 'mcp' ? (core?.listed() ?? false) : null),
  };
  const [command = process.execPath, ...args] = machine.turnout;
  return {
    tools,
    offered: box.offered,
    bridge,
    mcpBridge: bridge ? { command, args: [...args, '__mcp-bridge'], env: bridge.env } : null,
  };
}
