/** What a session holds: rows, figures, its name, and its events again. */

import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../../contract/vocabulary.js';
import { stateDir } from '../../../process/state-dir.js';
import { isOver } from '../../../runs/records.js';
import { needSession, titled } from '../find.js';
import { historyOf } from '../history.js';
import { modelOf, usageOf } from '../info.js';
import { epochOf } from '../ledger.js';
import { framesOf } from '../locks.js';
import { type Methods, method } from '../method.js';
import { flag, text, whole } from '../params.js';
import { openQuestions } from '../questions.js';
import { CODE, RpcError } from '../rpc.js';

const SESSION = { session_id: text, profile: text };

export const ABOUT: Methods = {
  'session.history': method(SESSION, async (asking, { session_id }) => {
    const record = await needSession(asking, session_id);
    const { rows } = await historyOf(asking.gateway.core, record, asking.caller);
    return { count: rows.length, messages: rows };
  }),
  'session.usage': method(SESSION, async (asking, { session_id }) =>
    usageOf(asking.gateway, await needSession(asking, session_id), asking.caller),
  ),
  'session.status': method(SESSION, async (asking, { session_id }) => {
    const record = await needSession(asking, session_id);
    const { gateway, caller } = asking;
    const runs = await gateway.core.sessions.runs(record.session_id, caller);
    const running = runs.some(({ status }) => !isOver(status));
    const usage = await usageOf(gateway, record, caller);
    const data: JsonObject = {
      session_id: record.session_id,
      title: record.title,
      provider: record.runtime,
      model: modelOf(record),
      cwd: record.cwd,
      created_at: record.created_at / 1000,
      last_active: record.updated_at / 1000,
      running,
      usage,
    };
    const lines = [
      `Session ID: ${record.session_id}`,
      `Title: ${record.title || '(none)'}`,
      `Model: ${modelOf(record)} (${record.runtime})`,
      `Folder: ${record.cwd}`,
      `Created: ${new Date(record.created_at).toISOString()}`,
      `Tokens: ${usage['total'] ?? 'unknown'}`,
      `Agent Running: ${running ? 'Yes' : 'No'}`,
    ];
    return { output: ['Turnout Status', '', ...lines].join('\n'), data };
  }),
  'session.title': method({ ...SESSION, title: text }, async (asking, { session_id, title }): Promise<JsonObject> => {
    const record = await needSession(asking, session_id);
    if (title === undefined) return { title: record.title, session_key: record.session_id };
    const wanted = title.trim();
    if (wanted === '') throw new RpcError(CODE.titleRequired, 'title required');
    const other = await titled(asking, wanted);
    if (other && other.session_id !== record.session_id)
      throw new RpcError(CODE.titleTaken, `Title '${wanted}' is already in use by session ${other.session_id}`);
    const { gateway, caller } = asking;
    await gateway.core.sessions.set(record.session_id, { title: wanted }, caller);
    const payload = { session_id: record.session_id, title: wanted };
    asking.afterwards(() => gateway.tell(record.session_id, { type: 'session.title', payload }));
    return { pending: false, title: wanted, session_key: record.session_id };
  }),
  'session.save': method(SESSION, async (asking, { session_id }) => {
    const record = await needSession(asking, session_id);
    const { gateway, caller } = asking;
    if (caller.principal.kind !== 'owner')
      throw new RpcError(CODE.unsupported, 'only the owner can save to this machine');
    const { rows } = await historyOf(gateway.core, record, caller);
    const folder = join(stateDir(gateway.core.ambient), 'saved');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${record.session_id}-${randomUUID()}.json`);
    const { title, cwd, runtime } = record;
    await writeFile(
      file,
      `${JSON.stringify({ session_id: record.session_id, title, cwd, runtime, messages: rows })}\n`,
      {
        mode: 0o600,
        flag: 'wx',
      },
    );
    return { file };
  }),
  'session.events.since': method(
    { session_id: text, last_seen: whole, profile: text },
    async (asking, { session_id = '', last_seen = 0 }) => {
      const { gateway, caller } = asking;
      const epoch = epochOf(gateway.core);
      const record = await gateway.core.sessions.get(session_id, caller);
      if (!record) return { events: [], latest_seq: 0, truncated: false, count: 0, epoch, open_requests: [] };
      const { events, latest, truncated } = await gateway.ledger.since(session_id, Math.max(0, last_seen), caller);
      const open = await openQuestions(gateway.core, caller, session_id);
      asking.afterwards(() => asking.questions.given(open));
      return {
        events: events.map((event): JsonObject => ({ ...event })),
        latest_seq: latest,
        truncated,
        count: events.length,
        epoch,
        open_requests: framesOf(open, gateway.locks),
      };
    },
  ),
  // Wanted by clients that show how long a replay may be.
  'session.events.stats': method({ ...SESSION, all: flag }, async (asking, { session_id }) => {
    const record = await needSession(asking, session_id);
    const { seq } = await asking.gateway.ledger.position(record.session_id, asking.caller);
    return { latest_seq: seq, epoch: epochOf(asking.gateway.core) };
  }),
};
