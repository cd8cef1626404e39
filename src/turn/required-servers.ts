/** `--require-mcp`: a turn whose servers are not there ends before the model has said anything. */

import type { McpServerStatus } from '../contract/event.js';
import type { Say } from '../runner/action.js';
import type { TurnRequest } from '../runner/request.js';

export interface RequiredServers {
  /** @returns why the turn must end, or null */
  ready(servers: readonly McpServerStatus[]): string | null;
  /** The model has begun. @returns why the turn must end, or null */
  began(): string | null;
}

/** What the programs call a server that answers (claude 2.1.332, codex 0.171.0). */
const READY: ReadonlySet<string> = new Set(['connected', 'ready']);

const described = ({ name, status, reason }: McpServerStatus) =>
  `${name} (${status}${reason === undefined ? '' : `: ${reason}`})`;

/** Whether this shows that the model is at work. */
export const isWork = ({ type }: Say): boolean =>
  type === 'assistant' || type === 'thinking' || type === 'tool_activity';

export function requiredServers({ requireMcp, mcpServers }: TurnRequest): RequiredServers {
  let isSettled = requireMcp === undefined;
  return {
    ready(servers) {
      if (requireMcp === undefined) return null;
      isSettled = true;
      const wanted = requireMcp === 'all' ? [...servers, ...mcpServers].map(({ name }) => name) : requireMcp;
      const missing = [...new Set(wanted)].flatMap((name): string[] => {
        const found = servers.find((one) => one.name === name);
        if (found === undefined) return [`${name} (not loaded)`];
        return READY.has(found.status) ? [] : [described(found)];
      });
      return missing.length === 0 ? null : `MCP servers that this turn requires are not ready: ${missing.join(', ')}`;
    },
    began() {
      if (isSettled) return null;
      isSettled = true;
      return 'the agent began without saying whether the MCP servers that this turn requires are ready';
    },
  };
}
