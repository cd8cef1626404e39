/** What a session is set to, and what it may be set to. */

import { EFFORTS, type Json, type JsonObject } from '../../../contract/vocabulary.js';
import { isOver, type SessionChoice, type SessionRecord } from '../../../runs/records.js';
import { runtimeFor } from '../choice.js';
import { needSession } from '../find.js';
import { BUSY_POLICIES } from '../gateway.js';
import { infoOf, modelOf } from '../info.js';
import { type Asking, type Methods, method } from '../method.js';
import { any, flag, text } from '../params.js';
import { CODE, RpcError } from '../rpc.js';

const unknownKey = (key: string): RpcError => new RpcError(CODE.textRequired, `unknown config key: ${key}`);

async function choose(asking: Asking, record: SessionRecord, what: Partial<SessionChoice>, runtime?: string) {
  const { gateway, caller } = asking;
  const { access = gateway.options.access, model = null, effort = null } = record.chosen ?? {};
  const chosen = { access, model, effort, ...what };
  const other = runtime !== undefined && runtime !== record.runtime ? { runtime, native_id: null } : {};
  await gateway.core.sessions.set(record.session_id, { chosen, ...other }, caller);
  const now = { ...record, chosen, ...other };
  const payload = await infoOf(gateway, now, caller, false);
  asking.afterwards(() => gateway.tell(record.session_id, { type: 'session.info', payload }));
}

/** `model`, `runtime:model` or `model --provider runtime`. */
function readModel(value: string): { provider: string | undefined; model: string } {
  const [, before = '', named] = /^(.*?)\s+--provider\s+(\S+)\s*$/.exec(value) ?? [];
  if (named !== undefined) return { provider: named, model: before.trim() };
  const [, provider, model] = /^([a-z][a-z0-9-]*):(\S+)$/.exec(value.trim()) ?? [];
  return model === undefined ? { provider: undefined, model: value.trim() } : { provider, model };
}

export async function setModel(asking: Asking, session: string | undefined, value: string): Promise<JsonObject> {
  const record = await needSession(asking, session);
  const { gateway, caller } = asking;
  const { provider, model } = readModel(value);
  if (model === '') throw new RpcError(CODE.textRequired, 'model value required');
  const runs = await gateway.core.sessions.runs(record.session_id, caller);
  if (runs.some(({ status }) => !isOver(status)))
    throw new RpcError(CODE.busy, 'session busy: /interrupt the current turn before switching models');
  const runtime = await runtimeFor(gateway, { provider: provider ?? record.runtime, model });
  await choose(asking, record, { model: model === 'default' ? null : model }, runtime);
  return { key: 'model', value: model, provider: runtime, scope: 'session' };
}

async function setConfig(asking: Asking, key: string, value: Json, session: string | undefined): Promise<JsonObject> {
  switch (key) {
    case 'model':
      return setModel(asking, session, String(value ?? ''));
    case 'reasoning':
    case 'reasoning_effort': {
      const effort = EFFORTS.find((one) => one === value);
      if (effort === undefined)
        throw new RpcError(CODE.textRequired, `unknown reasoning effort: expected ${EFFORTS.join(', ')}`);
      await choose(asking, await needSession(asking, session), { effort });
      return { key, value: effort, scope: 'session' };
    }
    case 'busy': {
      const busy = BUSY_POLICIES.find((one) => one === value);
      if (busy === undefined) throw new RpcError(CODE.textRequired, `unknown busy mode: ${String(value)}`);
      asking.settings.busy = busy;
      return { key, value: busy };
    }
    case 'yolo':
    case 'approval_mode':
    case 'approvals.mode':
    case 'access':
      throw new RpcError(
        CODE.unsupported,
        'what an agent may do is set by who starts the gateway: turnout gateway --access',
      );
    default:
      throw unknownKey(key);
  }
}

async function getConfig(asking: Asking, key: string, session: string | undefined): Promise<JsonObject> {
  const of = async () => (session === undefined ? null : await needSession(asking, session));
  switch (key) {
    // Clients ask for it every few seconds to see whether it changed; there is no such file here.
    case 'mtime':
      return { mtime: 0 };
    case 'full':
      return { config: {} };
    case 'busy':
      return { value: asking.settings.busy };
    case 'reasoning':
      return { value: (await of())?.chosen?.effort ?? 'default', display: 'show' };
    case 'provider': {
      const record = await of();
      return {
        model: record ? modelOf(record) : null,
        provider: record?.runtime ?? asking.gateway.options.runtime,
        providers: asking.gateway.core.runners.map(({ id, title, aliases = [] }) => ({
          id,
          label: title,
          aliases: [...aliases],
        })),
      };
    }
    case 'project': {
      const record = await of();
      return { cwd: record?.cwd ?? asking.gateway.core.cwd, branch: '' };
    }
    case 'profile':
      return { home: '', display: 'default' };
    case 'prompt':
      return { prompt: '' };
    case 'skin':
      return { value: 'default' };
    default:
      throw unknownKey(key);
  }
}

export const SETTINGS: Methods = {
  'config.set': method(
    { key: text, value: any, session_id: text, confirm: flag, profile: text },
    async (asking, { key = '', value = null, session_id }) => setConfig(asking, key, value, session_id),
  ),
  'config.get': method({ key: text, session_id: text, profile: text }, async (asking, { key = '', session_id }) =>
    getConfig(asking, key, session_id),
  ),
  'model.options': method({ session_id: text, profile: text }, async (asking, { session_id }) => {
    const { core } = asking.gateway;
    const record = session_id === undefined ? null : await needSession(asking, session_id);
    const provider = record?.runtime ?? (await asking.gateway.usual())?.id ?? null;
    const { modelOptions } = await import('../../../inspect/model-options.js');
    const found = await modelOptions({ runners: core.runners, places: core.places(), current: provider });
    return {
      providers: found.map((one): JsonObject => ({ ...one })),
      provider,
      model: record ? modelOf(record) : null,
    };
  }),
};
