/** What a session is, as clients show it. */

import type { JsonObject } from '../../contract/vocabulary.js';
import type { Caller } from '../../runs/ports.js';
import type { SessionRecord } from '../../runs/records.js';
import type { Gateway } from './gateway.js';
import { NOTHING, spentIn, usageShown } from './usage.js';

/** What is left to the runtime. */
const ITS_OWN = 'default';

export const modelOf = (record: SessionRecord): string => record.chosen?.model ?? ITS_OWN;

/** Tokens and cost of all turns of the session, also of those it was rewound past. */
export async function usageOf(gateway: Gateway, record: SessionRecord, caller: Caller): Promise<JsonObject> {
  const runs = await gateway.core.sessions.runs(record.session_id, caller, true);
  const own = runs.filter(({ session_id }) => session_id === record.session_id);
  return usageShown(own.length === 0 ? NOTHING : spentIn(own), modelOf(record));
}

/** @param running whether a turn is under way */
export async function infoOf(
  gateway: Gateway,
  record: SessionRecord,
  caller: Caller,
  running: boolean,
): Promise<JsonObject> {
  const access = record.chosen?.access ?? gateway.options.access;
  return {
    model: modelOf(record),
    provider: record.runtime,
    reasoning_effort: record.chosen?.effort ?? '',
    service_tier: '',
    fast: false,
    yolo: access === 'full',
    approval_mode: 'manual',
    access,
    tools: {},
    skills: {},
    cwd: record.cwd,
    branch: '',
    project: null,
    personality: '',
    running,
    title: record.title,
    stored_session_id: record.session_id,
    version: gateway.core.version,
    usage: await usageOf(gateway, record, caller),
    profile_name: 'default',
    mcp_servers: [],
    lazy: true,
  };
}
