/** What was said in a session, as rows: the turns that are over, with what their tools did. */

import type { JsonObject } from '../../contract/vocabulary.js';
import type { Core } from '../../runs/core.js';
import type { Caller } from '../../runs/ports.js';
import { isOver, type RunRecord, type SessionRecord } from '../../runs/records.js';
import { aboutRun } from './ledger.js';
import { NOTHING } from './usage.js';

/** A prompt of a session that it can be rewound to. */
export interface UserTurn {
  row_id: number;
  /** Null for one that was said before the session began. */
  run: RunRecord | null;
}

export interface History {
  rows: JsonObject[];
  /** Turns of the person, oldest first. */
  turns: UserTurn[];
}

/**
 * Rows are counted over everything that was ever said in the session, so that a row keeps its number when others are
 * dropped: first what came before it, then two for each run.
 */
export async function turnsOf(core: Core, record: SessionRecord, caller: Caller): Promise<UserTurn[]> {
  const { session_id, opening = [] } = record;
  const [all, kept] = await Promise.all([
    core.sessions.runs(session_id, caller, true),
    core.sessions.runs(session_id, caller),
  ]);
  const rows = new Map(all.map(({ run_id }, index) => [run_id, opening.length + 2 * index + 1]));
  return [
    ...opening.flatMap(({ role }, index) => (role === 'user' ? [{ row_id: index + 1, run: null }] : [])),
    ...kept.map((run) => ({ row_id: rows.get(run.run_id) ?? 0, run })),
  ];
}

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

async function rowsOf(core: Core, run: RunRecord, row: number, caller: Caller): Promise<JsonObject[]> {
  const rows: JsonObject[] = [
    {
      role: 'user',
      text: run.prompt,
      row_id: row,
      message_id: run.run_id,
      timestamp: seconds(run.created_at),
    },
  ];
  const translate = aboutRun(run, NOTHING);
  for await (const one of core.log.follow(run.run_id, { after: 0, follow: false }, caller)) {
    if (!('entry' in one)) continue;
    for (const step of translate.hear(one.entry.event)) {
      if (step.do !== 'tell') continue;
      const { type, payload = {} } = step.event;
      if (type === 'message.interim') rows.push({ role: 'assistant', text: payload['text'] ?? '' });
      if (type === 'tool.start') {
        const { tool_id, name, context, args } = payload;
        rows.push({
          role: 'tool',
          tool_call_id: tool_id ?? null,
          name: name ?? '',
          context: context ?? '',
          args: args ?? {},
        });
      }
      if (type !== 'message.complete') continue;
      const { text = '', error, status } = payload;
      if (text === '' && error === undefined) continue;
      rows.push({
        role: 'assistant',
        text,
        row_id: row + 1,
        timestamp: seconds(run.ended_at),
        ...(status === 'complete' ? {} : { status: status ?? null }),
        ...(error === undefined ? {} : { error }),
      });
    }
  }
  return rows;
}

export async function historyOf(core: Core, record: SessionRecord, caller: Caller): Promise<History> {
  const turns = await turnsOf(core, record, caller);
  const rows: JsonObject[] = (record.opening ?? []).map(({ role, text }, index) => ({ role, text, row_id: index + 1 }));
  for (const { run, row_id } of turns)
    if (run && isOver(run.status)) rows.push(...(await rowsOf(core, run, row_id, caller)));
  return { rows, turns };
}
