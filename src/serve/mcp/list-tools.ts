/** Tools that only look: which agents there are, their models, and what was said before. */

import { resolve } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { scan } from '../../discovery/scan.js';
import { models, sessions } from '../../inspect/list.js';
import { fieldFault, flag, text, whole } from '../../request/fields.js';
import { RequestError } from '../../runs/request-error.js';
import { isObject, parseJson } from '../../text/json.js';
import type { Call } from './call.js';
import { answer } from './results.js';
import { transcriptUri } from './transcripts.js';

/** Through JSON, so that what is shown is what the command line prints. */
const plain = (value: unknown): Json => parseJson(JSON.stringify(value)) ?? null;

export async function agentScan(fields: JsonObject, call: Call): Promise<CallToolResult> {
  const { core, runtime, access, depth, maxDepth } = call.settings;
  const all = flag(fields, 'all');
  const { agents } = await scan(core.runners, { places: core.places(), all, installed: !all });
  return answer({
    agents: plain(agents),
    default_runtime: runtime,
    highest_access: access,
    may_start: Math.max(depth, call.depth) < maxDepth,
  });
}

/** The folder a tool is given, from ours. */
const folder = (fields: JsonObject, call: Call): string => resolve(call.settings.core.cwd, text(fields, 'cwd') ?? '.');

function listed(fields: JsonObject, call: Call): string {
  const runtime = text(fields, 'runtime') ?? call.settings.runtime;
  if (runtime === 'auto') throw fieldFault('runtime', 'missing', 'expected the id of a runtime; agent_scan lists them');
  return runtime;
}

export async function agentModels(fields: JsonObject, call: Call): Promise<CallToolResult> {
  const { core } = call.settings;
  const runtime = listed(fields, call);
  const found = await models({ runtime, cwd: folder(fields, call), env: core.ambient, runners: core.runners });
  if (found.error) throw new RequestError(`runtime: ${found.error.message}`, 1, found.error.code);
  const shown = plain(found);
  const { v: _v, ...rest } = isObject(shown) ? shown : {};
  return answer(rest);
}

const LIMIT = 50;

/** Sessions of this server, and those that a runtime itself keeps when one is named. */
export async function sessionsList(fields: JsonObject, call: Call): Promise<CallToolResult> {
  const { core, caller } = call.settings;
  const limit = whole(fields, 'limit', 1) ?? LIMIT;
  const runtime = text(fields, 'runtime');
  const cwd = text(fields, 'cwd') === undefined ? undefined : folder(fields, call);
  const all = await core.sessions.list({ limit, ...(cwd === undefined ? {} : { cwd }) }, caller);
  const kept = all.filter((one) => runtime === undefined || one.runtime === runtime);
  const ours = kept.map((one) => ({
    session_id: one.session_id,
    native_session_id: one.native_id,
    runtime: one.runtime,
    cwd: one.cwd,
    title: one.title,
    updated_at: new Date(one.updated_at).toISOString(),
    transcript: transcriptUri(one.session_id),
  }));
  if (runtime === undefined) return answer({ sessions: ours });
  const known = new Set(kept.map(({ native_id }) => native_id));
  const native = await sessions({ runtime, cwd: cwd ?? core.cwd, env: core.ambient, runners: core.runners });
  if (native.error) throw new RequestError(`runtime: ${native.error.message}`, 1, native.error.code);
  const theirs = native.sessions
    .filter(({ id }) => !known.has(id))
    .map((one) => ({
      session_id: one.id,
      native_session_id: one.id,
      runtime: native.runtime,
      cwd: one.cwd,
      title: one.title,
      updated_at: one.time,
      transcript: null,
    }));
  return answer({ sessions: [...ours, ...theirs].slice(0, limit) });
}
