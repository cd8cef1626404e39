/** `subagent` events for runtimes that only show the call which starts one (facts of such a call are all there is). */

import type { SubagentEvent, ToolActivityEvent } from '../contract/event.js';
import { str } from '../text/json.js';
import { cutUtf8 } from '../text/truncate.js';

/** Bytes of a summary. */
const SUMMARY = 500;

export interface Subagents {
  /** @returns what follows the event: `started` after a start, `finished` after an end */
  after(event: ToolActivityEvent): SubagentEvent | null;
}

export function subagents(): Subagents {
  const open = new Set<string>();
  return {
    after(event) {
      const about = { v: 1, type: 'subagent', id: event.id, tool_use_id: event.id } as const;
      if (event.phase === 'start') {
        if (event.kind !== 'task') return null;
        open.add(event.id);
        const input = event.input ?? {};
        const type = str(input, 'subagent_type') ?? str(input, 'agent_name') ?? str(input, 'agent');
        const description = str(input, 'description');
        const prompt = str(input, 'prompt') ?? str(input, 'task');
        return {
          ...about,
          phase: 'started',
          ...(type === undefined ? {} : { subagent_type: type }),
          ...(description === undefined ? {} : { description }),
          ...(prompt === undefined ? {} : { prompt }),
        };
      }
      if (!open.delete(event.id)) return null;
      const status = event.cancelled ? 'stopped' : event.ok ? 'completed' : 'failed';
      const summary = cutUtf8(event.output, SUMMARY).text;
      return { ...about, phase: 'finished', status, ...(summary === '' ? {} : { summary }) };
    },
  };
}
