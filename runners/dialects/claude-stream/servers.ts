/** MCP servers and whether they answer: reported when a turn begins, and on request before that (claude 2.1.332). */

import type { McpServerStatus } from '../../../src/contract/event.js';
import type { Json, JsonObject } from '../../../src/contract/vocabulary.js';
import type { Action } from '../../../src/runner/action.js';
import { arr, obj, str } from '../../../src/text/json.js';

const ID = 'turnout-servers';
/** Between two requests while a server is still being connected. */
const AGAIN_MS = 200;

/** @param own our server inside the pipe, which is not one of the caller's */
export function serversIn(list: readonly Json[], own: string | null): McpServerStatus[] {
  return list.flatMap((server) => {
    const name = str(server, 'name');
    if (name === undefined || name === own) return [];
    const reason = str(server, 'error');
    return [{ name, status: str(server, 'status') ?? 'unknown', ...(reason === undefined ? {} : { reason }) }];
  });
}

export interface ServerWatch {
  ask(): Action;
  /** @returns what follows from the answer; null when the line answers something else */
  answered(line: JsonObject): Action[] | null;
  /** A time that was asked for is over. @returns null when the prompt may be sent */
  woken(): Action[] | null;
}

/** Asks until no server is being connected any more, then says how each of them is. */
export function serverWatch(own: string | null): ServerWatch {
  let settled = false;
  const ask = (): Action => ({
    do: 'write',
    line: JSON.stringify({ type: 'control_request', request_id: ID, request: { subtype: 'mcp_status' } }),
  });
  return {
    ask,
    answered(line) {
      if (str(line, 'response', 'request_id') !== ID) return null;
      const servers = serversIn(arr(obj(line, 'response', 'response'), 'mcpServers') ?? [], own);
      if (servers.some(({ status }) => status === 'pending')) return [{ do: 'wake', afterMs: AGAIN_MS }];
      settled = true;
      // A server that is required and not there ends the turn before the prompt follows.
      return [
        { do: 'say', event: { type: 'ready', mcpServers: servers } },
        { do: 'wake', afterMs: 0 },
      ];
    },
    woken: () => (settled ? null : [ask()]),
  };
}
