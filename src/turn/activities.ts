/** Native tool calls that are open: every start gets exactly one end, with a duration measured by us. */

import type { ToolActivityEnd, ToolActivityStart } from '../contract/event.js';
import type { Say } from '../runner/action.js';
import { clampInput, clampOutput } from './clamp.js';

type SaidStart = Extract<Say, { type: 'tool_activity'; phase: 'start' }>;
type SaidEnd = Extract<Say, { type: 'tool_activity'; phase: 'end' }>;

export interface Activities {
  /** @returns the event, or null for an id that is open or was */
  start(said: SaidStart, now: number): ToolActivityStart | null;
  /** @returns the event, or null for an id that is not open */
  end(said: SaidEnd, now: number): ToolActivityEnd | null;
  /** Ends everything that is open, as cancelled. */
  closeAll(now: number): ToolActivityEnd[];
  open(): number;
  any(): boolean;
}

export function activities(): Activities {
  const open = new Map<string, { name: string; since: number }>();
  // Only ids that were seen lately are kept: a turn may have a million calls.
  const ended = new Set<string>();
  let any = false;
  const finish = (id: string, said: SaidEnd | null, now: number): ToolActivityEnd => {
    const { name, since } = open.get(id) ?? { name: '', since: now };
    open.delete(id);
    ended.add(id);
    if (ended.size > 1000) for (const old of [...ended].slice(0, 500)) ended.delete(old);
    const { text, cut } = clampOutput(said?.output ?? '');
    return {
      v: 1,
      type: 'tool_activity',
      phase: 'end',
      id,
      name,
      ok: said?.ok ?? false,
      output: text,
      output_truncated: cut,
      duration_ms: Math.max(0, Math.round(now - since)),
      ...(said?.denied ? { denied: true } : {}),
      ...(said === null || said.cancelled ? { cancelled: true } : {}),
      ...(said?.exit_code === undefined ? {} : { exit_code: Math.trunc(said.exit_code) }),
    };
  };
  return {
    start(said, now) {
      if (open.has(said.id) || ended.has(said.id)) return null;
      any = true;
      open.set(said.id, { name: said.name, since: now });
      return {
        v: 1,
        type: 'tool_activity',
        phase: 'start',
        id: said.id,
        name: said.name,
        kind: said.kind,
        input: clampInput(said.input),
        parent_tool_use_id: said.parent_tool_use_id ?? null,
      };
    },
    end: (said, now) => (open.has(said.id) ? finish(said.id, said, now) : null),
    closeAll: (now) => [...open.keys()].map((id) => finish(id, null, now)),
    open: () => open.size,
    any: () => any,
  };
}
