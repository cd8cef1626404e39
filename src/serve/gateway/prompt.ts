/** A client's prompt → a turn of its session. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../contract/vocabulary.js';
import { privateDir } from '../../process/temp-files.js';
import { byId } from '../../registry/registry.js';
import { planKeys } from '../../request/from-json.js';
import { titleOf } from '../../runs/history.js';
import type { TurnPlan } from '../../runs/plan.js';
import type { RunRecord, SessionRecord } from '../../runs/records.js';
import { str } from '../../text/json.js';
import { freeTitle } from './find.js';
import type { Attached, Gateway } from './gateway.js';
import type { Asking } from './method.js';
import { CODE, RpcError } from './rpc.js';

export interface Prompt {
  text: string;
  images: Attached[];
}

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** A picture that came as data, in a file of its own: runtimes take pictures by path. @throws {RpcError} 4016, 4017 */
export async function keepPicture(base64: string, type: string, name?: string): Promise<Attached> {
  const ending = ENDINGS[type];
  if (ending === undefined)
    throw new RpcError(CODE.badFile, `unsupported image type ${type}: expected ${Object.keys(ENDINGS).join(', ')}`);
  const bytes = Buffer.from(base64, 'base64');
  // Node leaves out what is not base64.
  if (bytes.length === 0 || bytes.toString('base64').replace(/=+$/, '') !== base64.replace(/\s|=+$/g, ''))
    throw new RpcError(CODE.badFolder, 'data is not valid base64');
  const folder = await privateDir();
  const path = join(folder.path, `image.${ending}`);
  await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
  return { path, name: name ?? `image.${ending}`, remove: () => folder.remove() };
}

const DATA = /^data:([a-z]+\/[a-z0-9.+-]+);base64,(.*)$/is;

/** @throws {RpcError} 4000, 4002, 4016, 4017 */
export async function readPrompt(given: string | Json[] | undefined): Promise<Prompt> {
  if (given === undefined || typeof given === 'string') {
    if ((given ?? '').trim() === '') throw new RpcError(CODE.textRequired, 'text is required');
    return { text: given ?? '', images: [] };
  }
  const texts: string[] = [];
  const images: Attached[] = [];
  for (const part of given) {
    const type = str(part, 'type');
    const url = str(part, 'image_url', 'url') ?? str(part, 'image_url') ?? str(part, 'url');
    const [, media = str(part, 'media_type') ?? '', data = str(part, 'data')] = DATA.exec(url ?? '') ?? [];
    if (type === 'text' || type === 'input_text') texts.push(str(part, 'text') ?? '');
    else if (data !== undefined) images.push(await keepPicture(data, media));
    else throw new RpcError(CODE.badParam, `text: a part of the type ${String(type)} can't be read`);
  }
  const text = texts.join('\n\n');
  if (text.trim() === '') throw new RpcError(CODE.textRequired, 'text is required');
  return { text, images };
}

/** The turn as the session is set. @throws {UsageError} */
function planOf(gateway: Gateway, record: SessionRecord, { text, images }: Prompt): TurnPlan {
  const { core, options } = gateway;
  const runner = byId(record.runtime, core.runners);
  const { access = options.access, model = null, effort = null } = record.chosen ?? {};
  const plan = planKeys(
    {
      runtime: record.runtime,
      prompt: text,
      cwd: record.cwd,
      access,
      settings: [...options.settings],
      allowRoot: options.allowRoot,
      // A runtime that never asks in this mode would answer with a notice in every turn.
      approvals: runner === null || runner.access[access]?.asks === true ? 'stdio' : 'deny',
      questions: runner === null || runner.asksQuestions ? 'stdio' : 'decline',
      ...(model === null ? {} : { model }),
      ...(effort === null ? {} : { effort }),
      ...(images.length === 0 ? {} : { images: images.map(({ path }) => path) }),
    },
    { cwd: core.cwd, ambient: core.ambient },
  );
  return { ...plan, goesOn: true, request: { ...plan.request, commands: true } };
}

export interface Admission {
  run: RunRecord;
  replayed: boolean;
}

/**
 * Takes a prompt in: the turn is durable when it resolves.
 * @param ref the client's own name of the prompt: the same one again is the same turn
 * @throws {CoreError} @throws {UsageError}
 */
export async function admit(
  { gateway, caller }: Pick<Asking, 'gateway' | 'caller'>,
  record: SessionRecord,
  prompt: Prompt,
  ref?: string,
): Promise<Admission> {
  const release = async (): Promise<void> => {
    for (const { remove } of prompt.images) await remove();
  };
  try {
    const plan = planOf(gateway, record, prompt);
    const id = record.session_id;
    const request: JsonObject = { session: id, text: prompt.text };
    return await gateway.core.runs.start({
      caller,
      plan,
      conversation: { kind: 'continue', id },
      attended: false,
      release,
      ...(ref === undefined ? {} : { idempotency: { key: `gateway:${id}:${ref}`, request } }),
    });
  } catch (error) {
    await release();
    throw error;
  }
}

/** The first prompt names the session. */
export async function nameSession(asking: Asking, record: SessionRecord, text: string): Promise<void> {
  if (record.title !== '') return;
  const { gateway, caller } = asking;
  const session_id = record.session_id;
  const title = await freeTitle(asking, titleOf(text));
  await gateway.core.sessions.set(session_id, { title }, caller);
  asking.afterwards(() => gateway.tell(session_id, { type: 'session.title', payload: { session_id, title } }));
}

/** Runs whose guidance is looked after. */
const looked = new WeakMap<Gateway, Set<string>>();

/** Guidance that never reached the agent becomes the next turn: what was accepted is not lost. */
export function keepGuidance(asking: Pick<Asking, 'gateway' | 'caller'>, run: string): void {
  const { gateway, caller } = asking;
  const { core, options } = gateway;
  const mine = looked.get(gateway) ?? new Set<string>();
  looked.set(gateway, mine);
  if (mine.has(run)) return;
  mine.add(run);
  async function look(): Promise<void> {
    const { pending_steer: text, session_id, ended_by } = await core.runs.ended(run, caller);
    mine.delete(run);
    if (text === null || ended_by === 'shutdown' || ended_by === 'crash') return;
    const record = await core.sessions.get(session_id, caller);
    if (record) await gateway.inTurn(session_id, () => admit(asking, record, { text, images: [] }));
  }
  look().catch((error: unknown) => options.complain(`guidance for ${run}: ${String(error)}`));
}
