/** The first request: a new session or one that goes on (0.225.2). */

import type { Json, JsonObject } from '../../src/contract/vocabulary.js';
import type { Machine } from '../../src/runner/machine.js';
import type { TurnRequest } from '../../src/runner/request.js';

/**
 * Our MCP server's name. Droid hides tools of servers behind a search tool, unless "github" or "agentbrowser" is in the
 * server's name.
 */
export const BRIDGE = 'caller_agentbrowser';

function servers(request: TurnRequest, machine: Machine): JsonObject[] {
  const list = request.mcpServers.map(
    (server): JsonObject =>
      server.type === 'stdio'
        ? {
            name: server.name,
            type: 'stdio',
            command: server.command,
            args: server.args,
            env: { ...server.env, TURNOUT_TURN: machine.ids.turn },
          }
        : { name: server.name, type: server.type, url: server.url, headers: server.headers },
  );
  if (machine.mcpBridge !== null) {
    const { command, args, env } = machine.mcpBridge;
    const own = { ...env, TURNOUT_TURN: machine.ids.turn };
    list.push({ name: BRIDGE, type: 'stdio', command, args: [...args], env: own });
  }
  return list;
}

export interface Opening {
  method: string;
  params: JsonObject;
}

/** A session that goes on keeps its model, effort and autonomy until they are set anew. */
export function settingsOf(request: TurnRequest): JsonObject {
  return {
    interactionMode: 'auto',
    autonomyLevel: 'off',
    ...(request.model === null ? {} : { modelId: request.model }),
    ...(request.effort === null ? {} : { reasoningEffort: request.effort }),
  };
}

/** @returns the request that opens the session */
export function opening(request: TurnRequest, machine: Machine): Opening {
  const common = {
    mcpServers: servers(request, machine),
    ...(request.settings.length > 0 ? {} : { disableBuiltinSkills: true }),
  };
  if (request.resume !== null) {
    return { method: 'droid.load_session', params: { sessionId: request.resume, messageLimit: 1, ...common } };
  }
  const system: Json =
    request.system === null ? {} : { systemPrompt: { type: 'preset', preset: 'droid', append: request.system } };
  return {
    method: 'droid.initialize_session',
    params: {
      machineId: 'turnout',
      cwd: request.cwd,
      ...settingsOf(request),
      // The first model call waits for the servers: their tools would be missing from it.
      blockOnMcpLoad: true,
      ...system,
      ...common,
    },
  };
}
