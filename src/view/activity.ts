/** What an agent does: its own tools, the caller's, and agents that it starts. */

import type {
  SubagentEvent,
  ToolActivityEnd,
  ToolActivityEvent,
  ToolCallEvent,
  ToolResultEvent,
} from '../contract/tool-event.js';
import { oneLine } from '../text/printable.js';
import type { ToolState } from './item.js';
import { addItem, changeItem, itemOf, placeOf, type TurnDraft } from './items.js';
import { toolLabel } from './tool-label.js';

const toolKey = (id: string): string => `tool:${id}`;

/** How deep something below a tool call is. */
export function depthBelow(draft: TurnDraft, parent: string | null): number {
  const item = parent === null ? undefined : itemOf(draft, toolKey(parent));
  return item?.kind === 'tool' ? item.depth + 1 : 0;
}

function ended(event: ToolActivityEnd): ToolState {
  if (event.denied) return 'denied';
  if (event.cancelled) return 'cancelled';
  return event.ok ? 'ok' : 'failed';
}

export function activity(draft: TurnDraft, seq: number, event: ToolActivityEvent): void {
  const { id, name } = event;
  const key = toolKey(id);
  if (event.phase === 'start') {
    const depth = depthBelow(draft, event.parent_tool_use_id);
    const { kind: tool, input } = event;
    const label = toolLabel(event, draft.cwd);
    const fresh = { output: '', cut: false, durationMs: null, exitCode: null, state: 'running' } as const;
    return addItem(draft, { kind: 'tool', key, seq, id, name, tool, label, input, depth, ...fresh });
  }
  // The beginning may be among what is no longer kept.
  if (placeOf(draft, key) === undefined) {
    const label = oneLine(name);
    const fresh = { output: '', cut: false, durationMs: null, exitCode: null, state: 'running' } as const;
    addItem(draft, { kind: 'tool', key, seq, id, name, tool: 'other', label, input: null, depth: 0, ...fresh });
  }
  changeItem(draft, key, (item) =>
    item.kind === 'tool'
      ? {
          ...item,
          state: ended(event),
          output: event.output,
          cut: event.output_truncated,
          durationMs: event.duration_ms,
          exitCode: event.exit_code ?? null,
        }
      : item,
  );
}

export function callBegins(draft: TurnDraft, seq: number, { id, name, args }: ToolCallEvent): void {
  const fresh = { output: '', cut: false, durationMs: null, exitCode: null, state: 'running' } as const;
  const what = { kind: 'tool', key: toolKey(id), tool: 'caller', label: oneLine(name), depth: 0 } as const;
  addItem(draft, { ...what, ...fresh, seq, id, name, input: args });
}

export function callAnswered(draft: TurnDraft, { id, ok, result, text_truncated }: ToolResultEvent): void {
  changeItem(draft, toolKey(id), (item) =>
    item.kind === 'tool'
      ? { ...item, state: ok ? 'ok' : 'failed', output: result.text, cut: text_truncated === true }
      : item,
  );
}

export function subagent(draft: TurnDraft, seq: number, event: SubagentEvent): void {
  const key = `agent:${event.id}`;
  if (placeOf(draft, key) === undefined) {
    const title = oneLine(event.description ?? event.subagent_type ?? 'subagent');
    addItem(draft, { kind: 'agent', key, seq, id: event.id, title, state: 'running', summary: null });
  }
  changeItem(draft, key, (item) => {
    if (item.kind !== 'agent') return item;
    const summary = event.summary ?? item.summary;
    return { ...item, summary, state: event.phase === 'finished' ? (event.status ?? 'completed') : item.state };
  });
}
