/**
 * Who speaks in Cline's stream (3.0.65): its agent events carry no name, its hooks say which agents are at work. While the main agent
 * waits for one `spawn_agent`, what comes is that helper's; while it waits for several, the speaker is unknown.
 */

import type { JsonObject } from '../../src/contract/vocabulary.js';
import { str } from '../../src/text/json.js';

/** null: the main agent. A helper by the id of the call that began it. `unknown`: one of several. */
export type Speaker = { helper: string } | 'unknown' | null;

const SPAWNS = 'spawn_agent';

export interface Speakers {
  /** A hook event, which says that an agent begins or ends. */
  hook(line: JsonObject): void;
  toolStart(name: string, id: string): void;
  toolEnd(id: string): void;
  now(): Speaker;
}

export function speakers(): Speakers {
  const helpers = new Set<string>();
  const spawns = new Set<string>();
  return {
    hook(line) {
      const agent = str(line, 'agentId');
      if (agent === undefined || str(line, 'parentAgentId') === undefined) return;
      const name = str(line, 'hookEventName');
      if (name === 'agent_start') helpers.add(agent);
      if (name === 'agent_end') helpers.delete(agent);
    },
    toolStart(name, id) {
      if (name === SPAWNS) spawns.add(id);
    },
    toolEnd: (id) => void spawns.delete(id),
    now() {
      // A teammate works beside the main agent, which does not wait for it.
      if (helpers.size === 0 || spawns.size === 0) return null;
      const [helper] = spawns;
      return spawns.size === 1 && helper !== undefined ? { helper } : 'unknown';
    },
  };
}
