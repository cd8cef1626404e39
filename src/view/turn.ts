/**
 * Events → what a person sees of a turn. Pure: the page in the browser and `turnout run` in a terminal show the same. Items
 * that did not change stay the same objects, so that whoever draws them need not look into them.
 */

import type { Event, StatusEvent, Totals } from '../contract/event.js';
import { addKnown } from '../text/json.js';
import { oneLine } from '../text/printable.js';
import { activity, callAnswered, callBegins, depthBelow, subagent } from './activity.js';
import type { Ending, Item } from './item.js';
import { addItem, changeItem, placeOf, type TurnDraft } from './items.js';
import { toolLabel } from './tool-label.js';

export interface TurnView {
  runtime: string | null;
  version: string | null;
  model: string | null;
  cwd: string;
  access: string | null;
  session: string | null;
  items: readonly Item[];
  /** Where open messages and tools stand among the items. */
  places: ReadonlyMap<string, number>;
  /** What is known of what was used; the totals of the end count more than the sum of the reports. */
  totals: Totals;
  ending: Ending | null;
  /** The number of the last event that is in it. */
  seq: number;
}

/** What a log holds: events with their numbers, or the word that some are gone. */
export type Heard = { seq: number; event: Event } | { gap: { from: number; to: number } };

const NOTHING_USED: Totals = { input_tokens: null, output_tokens: null, cached_tokens: null, cost_usd: null };

export const emptyTurn: TurnView = {
  runtime: null,
  version: null,
  model: null,
  cwd: '',
  access: null,
  session: null,
  items: [],
  places: new Map(),
  totals: NOTHING_USED,
  ending: null,
  seq: 0,
};

function says(draft: TurnDraft, seq: number, event: Extract<Event, { type: 'assistant' | 'thinking' }>): void {
  const kind = event.type === 'assistant' ? 'text' : 'thinking';
  const key = `${kind}:${event.message_id}`;
  if (event.replaces !== undefined && event.replaces !== event.message_id)
    changeItem(draft, `${kind}:${event.replaces}`, (item) => (item.kind === kind ? { ...item, replaced: true } : item));
  if (placeOf(draft, key) === undefined) {
    const depth = depthBelow(draft, event.parent_tool_use_id ?? null);
    addItem(draft, { kind, key, seq, text: '', depth, replaced: false, cut: false });
  }
  changeItem(draft, key, (item) =>
    item.kind === kind ? { ...item, text: item.text + event.text, cut: event.text_truncated === true } : item,
  );
}

function begins(draft: TurnDraft, event: Extract<Event, { type: 'start' }>): void {
  draft.runtime = event.runtime;
  draft.version = event.runtime_version ?? null;
  draft.model = event.model ?? null;
  draft.cwd = event.cwd;
  draft.access = event.access;
}

function uses(draft: TurnDraft, event: Extract<Event, { type: 'usage' }>): void {
  const { totals } = draft;
  draft.totals = {
    input_tokens: addKnown(totals.input_tokens, event.input_tokens),
    output_tokens: addKnown(totals.output_tokens, event.output_tokens),
    cached_tokens: addKnown(totals.cached_tokens, event.cached_tokens),
    cost_usd: addKnown(totals.cost_usd, event.cost_usd),
  };
}

function settled(draft: TurnDraft, { id, outcome }: NonNullable<StatusEvent['question']>): void {
  changeItem(draft, `asked:${id}`, (item) => (item.kind === 'asked' ? { ...item, outcome } : item));
}

function apply(draft: TurnDraft, seq: number, event: Event): void {
  switch (event.type) {
    case 'start':
      return begins(draft, event);
    case 'session':
      draft.session = oneLine(event.session_id);
      return;
    case 'assistant':
    case 'thinking':
      return says(draft, seq, event);
    case 'tool_activity':
      return activity(draft, seq, event);
    case 'tool_call':
      return callBegins(draft, seq, event);
    case 'tool_result':
      return callAnswered(draft, event);
    case 'subagent':
      return subagent(draft, seq, event);
    case 'permission_request': {
      const { id, name, kind: tool, input, choices } = event;
      const label = toolLabel(event, draft.cwd);
      const toolId = event.tool_use_id ?? null;
      return addItem(draft, {
        kind: 'question',
        key: `question:${id}`,
        seq,
        id,
        name,
        tool,
        label,
        input,
        choices,
        toolId,
      });
    }
    case 'question': {
      const { id, title = null, questions, url = null } = event;
      return addItem(draft, { kind: 'asked', key: `asked:${id}`, seq, id, title, questions, url, outcome: null });
    }
    case 'plan':
      if (placeOf(draft, 'plan') === undefined) addItem(draft, { kind: 'plan', key: 'plan', seq, entries: [] });
      return changeItem(draft, 'plan', (item) => (item.kind === 'plan' ? { ...item, entries: event.entries } : item));
    case 'patch': {
      const { workspace, files, truncated } = event;
      return addItem(draft, { kind: 'patch', key: `patch:${seq}`, seq, workspace, files, cut: truncated === true });
    }
    case 'status':
      if (event.question) return settled(draft, event.question);
      if (event.message === undefined) return;
      return addItem(draft, { kind: 'notice', key: `notice:${seq}`, seq, text: event.message });
    case 'usage':
      return uses(draft, event);
    case 'result':
      draft.ending = { exitCode: 0, stopReason: event.stop_reason, durationMs: 0, structured: event.structured };
      return;
    case 'error': {
      const { code, message: text, hint = null } = event;
      return addItem(draft, { kind: 'error', key: `error:${seq}`, seq, code, text, hint });
    }
    case 'done': {
      const { exit_code: exitCode, stop_reason: stopReason, duration_ms: durationMs, totals } = event;
      draft.ending = { exitCode, stopReason, durationMs, structured: draft.ending?.structured };
      if (totals) draft.totals = totals;
      return;
    }
    default: {
      const never: never = event;
      throw new Error(`unknown event ${JSON.stringify(never)}`);
    }
  }
}

/** The view after some more of the log; what was heard before is left out, so that nothing is shown twice. */
export function advance(view: TurnView, heard: readonly Heard[]): TurnView {
  const draft: TurnDraft = { ...view, items: [...view.items], places: new Map(view.places) };
  for (const one of heard) {
    if ('gap' in one) {
      const { from, to } = one.gap;
      if (to <= draft.seq) continue;
      addItem(draft, { kind: 'gap', key: `gap:${from}`, seq: from, from, to });
      draft.seq = to;
    } else if (one.seq > draft.seq) {
      apply(draft, one.seq, one.event);
      draft.seq = one.seq;
    }
  }
  return draft;
}

/** Without what has ended: for who shows each item once, and keeps nothing. */
export function withoutEnded(view: TurnView): TurnView {
  const items = view.items.filter((item) => item.kind === 'tool' && item.state === 'running');
  return { ...view, items, places: new Map(items.map((item, index) => [item.key, index])) };
}
