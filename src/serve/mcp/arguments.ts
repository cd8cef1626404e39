/** The arguments of `agent_exec` and `agent_start` → the options of a turn, within what the person allows. */

import { resolve } from 'node:path';
import type { AccessMode, JsonObject } from '../../contract/vocabulary.js';
import { byId, nearest } from '../../registry/registry.js';
import { text } from '../../request/fields.js';
import { readKeys } from '../../request/from-json.js';
import type { Given } from '../../request/table.js';
import type { Core } from '../../runs/core.js';
import type { SessionRecord } from '../../runs/records.js';
import { RequestError } from '../../runs/request-error.js';
import type { Call } from './call.js';
import { allowedModes, defaultMode, type McpSettings } from './settings.js';

/** A session of ours by our id or by the runtime's own. */
async function findSession({ core, caller }: McpSettings, id: string): Promise<SessionRecord | null> {
  const ours = await core.sessions.get(id, caller);
  if (ours || id.startsWith('ses_')) return ours;
  const all = await core.sessions.list({ limit: Number.MAX_SAFE_INTEGER }, caller);
  return all.find(({ native_id }) => native_id === id) ?? null;
}

/** What is continued: a session of ours, or one that only the runtime can know. */
interface Continued {
  session?: SessionRecord;
  resume?: string;
}

async function continued(settings: McpSettings, fields: JsonObject): Promise<Continued> {
  const id = text(fields, 'session_id');
  if (id === undefined) return {};
  const session = await findSession(settings, id);
  if (session) return { session };
  if (id.startsWith('ses_')) throw new RequestError(`session_id: there is no session ${id}`, 1, 'session-not-found');
  return { resume: id };
}

function mode(settings: McpSettings, asked: AccessMode | undefined): AccessMode {
  if (asked === undefined) return defaultMode(settings.access);
  const allowed = allowedModes(settings.access);
  if (allowed.includes(asked)) return asked;
  throw new RequestError(
    `access: ${asked} is not allowed here, only ${allowed.join(', ')}; the person who set this server up decides (--access)`,
    1,
    'access-limit',
  );
}

/** Whether the runtime would ask at all; one that is not known yet may. */
function asks(core: Core, runtime: string, access: AccessMode): boolean {
  const runner = byId(runtime, core.runners);
  return runner === null || runner === undefined || runner.access[access]?.asks === true;
}

/** Whether its agent may have questions of its own. */
function inquires(core: Core, runtime: string): boolean {
  const runner = byId(runtime, core.runners);
  return runner !== null && runner !== undefined && runner.asksQuestions === true;
}

/** A command line (`acp:…`) or a file (`replay:…`) in place of a runtime is the person's to name, not the caller's. */
function checkRuntime(core: Core, asked: string): void {
  if (asked === 'auto' || byId(asked, core.runners)) return;
  const near = nearest(asked, core.runners);
  const hint = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : '';
  throw new RequestError(`runtime: there is no agent called ${asked}.${hint} agent_scan lists them`, 1, 'no-runner');
}

/** One turn as a tool is asked for it. */
export interface Asked {
  given: Given;
  /** The session of ours that is continued. */
  session: SessionRecord | null;
}

/**
 * @param answered whether questions find somebody while the call goes on
 * @throws RequestError, UsageError naming the argument
 */
export async function execArguments(fields: JsonObject, { settings }: Call, answered: boolean): Promise<Asked> {
  const { core } = settings;
  const asked = readKeys(fields);
  const { session = null, resume } = await continued(settings, fields);
  const { runtime: named, approvals, questions, cwd } = asked;
  if (named !== undefined && named !== settings.runtime) checkRuntime(core, named);
  const runtime = named ?? session?.runtime ?? settings.runtime;
  const access = mode(settings, asked.access);
  if (approvals === 'stdio' && settings.approvals === 'deny')
    throw new RequestError('approvals: questions are not allowed here; the person who set this server up decides', 1);
  const beyond = access === 'scoped' || access === 'edit';
  if (questions === 'stdio' && !answered)
    throw new RequestError(
      'questions: nobody can be asked here: this call waits for no answers, or the client shows no forms',
      1,
    );
  const byDefault = answered && settings.approvals !== 'deny' && beyond && asks(core, runtime, access);
  const given: Given = {
    ...asked,
    runtime,
    access,
    approvals: approvals ?? (byDefault ? 'stdio' : 'deny'),
    questions: questions ?? (answered && inquires(core, runtime) ? 'stdio' : 'decline'),
    ...(resume === undefined ? {} : { resume }),
    ...(cwd === undefined ? {} : { cwd: resolve(core.cwd, cwd) }),
  };
  return { given, session };
}

/** @throws RequestError for the first argument that the tool does not have */
export function onlyKnown(fields: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new RequestError(`${unknown}: there is no such argument; there is ${known.join(', ')}`);
}
