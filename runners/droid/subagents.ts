/** Subagents of the Task tool: a session of their own each, that ends with the tool's result (0.225.2). */

import type { Json } from '../../src/contract/vocabulary.js';
import type { Action } from '../../src/runner/action.js';
import { str } from '../../src/text/json.js';

export interface Subagents {
  started(notification: Json): Action[];
  ended(toolUseId: string, failed: boolean): Action[];
}

export function subagents(): Subagents {
  const byTool = new Map<string, string>();
  return {
    started(notification) {
      const id = str(notification, 'childSessionId') ?? '';
      const tool = str(notification, 'toolUseId');
      if (tool === undefined || byTool.has(tool)) return [];
      byTool.set(tool, id);
      const [type, description] = [str(notification, 'subagentType'), str(notification, 'description')];
      const rest = {
        ...(type === undefined ? {} : { subagent_type: type }),
        ...(description === undefined ? {} : { description }),
      };
      return [{ do: 'say', event: { type: 'subagent', phase: 'started', id, tool_use_id: tool, ...rest } }];
    },
    ended(tool, failed) {
      const id = byTool.get(tool);
      if (id === undefined) return [];
      byTool.delete(tool);
      const status = failed ? 'failed' : 'completed';
      return [{ do: 'say', event: { type: 'subagent', phase: 'finished', id, tool_use_id: tool, status } }];
    },
  };
}
