/** A turn that a person asks for on the page. */

import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../contract/error.js';
import { ACCESS_MODES, type AccessMode, type Json, type JsonObject } from '../../contract/vocabulary.js';
import { privateDir } from '../../process/temp-files.js';
import { byId } from '../../registry/registry.js';
import { planKeys, readKeys } from '../../request/from-json.js';
import type { Given } from '../../request/table.js';
import type { Core } from '../../runs/core.js';
import { CoreError } from '../../runs/failure.js';
import type { Caller, Conversation, Started } from '../../runs/ports.js';
import type { SessionRecord } from '../../runs/records.js';
import { isObject, str } from '../../text/json.js';

/** What the page may set of a turn. Everything else has its default. */
const KEYS = ['prompt', 'runtime', 'model', 'effort', 'access', 'cwd'] as const;
/** From the tightest to the widest; what a mode really prevents differs by runtime. */
const ORDER: readonly AccessMode[] = ['none', 'read', 'scoped', 'edit', 'full'];
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};
const MOST_IMAGES = 8;

/** The modes up to the one that the server was started with (`--page-access`). */
export function pageModes(most: AccessMode): AccessMode[] {
  return ACCESS_MODES.filter((mode) => ORDER.indexOf(mode) <= ORDER.indexOf(most));
}

interface Pictures {
  paths: string[];
  remove(): Promise<void>;
}

/** Runtimes take pictures by path: they are kept in a private folder for as long as the turn lasts. @throws UsageError */
async function pictures(given: Json | undefined): Promise<Pictures> {
  if (given === undefined || given === null) return { paths: [], remove: async () => {} };
  if (!Array.isArray(given) || given.length > MOST_IMAGES)
    throw new UsageError(`images: expected at most ${MOST_IMAGES} pictures`);
  const parts = given.map((one, index) => {
    const [ending, data] = [IMAGE_TYPES[str(one, 'media_type') ?? ''], str(one, 'data')];
    if (ending === undefined || data === undefined)
      throw new UsageError(`images[${index}]: expected media_type (${Object.keys(IMAGE_TYPES).join(', ')}) and data`);
    return { name: `${index + 1}.${ending}`, bytes: Buffer.from(data, 'base64') };
  });
  if (parts.length === 0) return { paths: [], remove: async () => {} };
  const folder = await privateDir();
  try {
    for (const { name, bytes } of parts) await writeFile(join(folder.path, name), bytes, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    await folder.remove();
    throw error;
  }
  return { paths: parts.map(({ name }) => join(folder.path, name)), remove: () => folder.remove() };
}

async function conversation(core: Core, fields: JsonObject, caller: Caller) {
  const id = str(fields, 'session');
  if (id === undefined) return { session: null, conversation: { kind: 'new' } as const };
  const session: SessionRecord | null = await core.sessions.get(id, caller);
  if (!session) throw new CoreError('not-found', `there is no session ${id}`);
  const kind: Conversation['kind'] = fields['fork'] === true ? 'fork' : 'continue';
  return { session, conversation: { kind, id } };
}

/** @param most the widest mode that the page may ask for @throws {UsageError} @throws {CoreError} */
export async function startTurn(core: Core, body: Json, caller: Caller, most: AccessMode): Promise<Started> {
  if (!isObject(body)) throw new UsageError('expected a JSON object');
  const { session, conversation: where } = await conversation(core, body, caller);
  const picked: JsonObject = {};
  for (const key of KEYS) if (body[key] !== undefined) picked[key] = body[key];
  const asked = readKeys(picked);
  const { runtime = session?.runtime ?? 'auto', access = 'scoped', cwd = session?.cwd } = asked;
  const allowed = pageModes(most);
  if (!allowed.includes(access))
    throw new UsageError(`access: ${access} is not allowed here, only ${allowed.join(', ')} (--page-access decides)`);
  const runner = byId(runtime, core.runners);
  // A runtime that never asks in this mode would answer with a notice in every turn.
  const approvals = runner === null || runner.access[access]?.asks === true ? 'stdio' : 'deny';
  const questions = runner === null || runner.asksQuestions === true ? 'stdio' : 'decline';
  const images = await pictures(body['images']);
  try {
    const given: Given = { ...asked, runtime, access, cwd, approvals, questions };
    if (images.paths.length > 0) given.images = images.paths;
    const plan = planKeys(given, { cwd: core.cwd, ambient: core.ambient });
    // The draft's own key: when the answer was lost on its way, sending again does not begin a second turn.
    const { key, ...request } = body;
    const idempotency = { key: `page:${typeof key === 'string' && key !== '' ? key : randomUUID()}`, request };
    return await core.runs.start({
      caller,
      plan,
      conversation: where,
      attended: false,
      idempotency,
      release: () => images.remove(),
    });
  } catch (error) {
    await images.remove();
    throw error;
  }
}
