/** One request → a turn that can be started. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateDir } from '../../process/temp-files.js';
import { checkAnswerSchema } from '../../request/answer-schema.js';
import { place } from '../../request/place.js';
import { planTurn } from '../../request/plan.js';
import { checkTogether } from '../../request/rules.js';
import type { Given } from '../../request/table.js';
import type { ImageFile } from '../../runner/request.js';
import type { Core } from '../../runs/core.js';
import type { TurnPlan } from '../../runs/plan.js';
import type { Ask } from './ask.js';
import type { Picture } from './images.js';
import type { ModelName } from './model-name.js';

export interface Prepared {
  plan: TurnPlan;
  /** Frees what was made for the turn. */
  release(): Promise<void>;
}

export interface Asked {
  prompt: string;
  images: readonly Picture[];
  /** The folder of the session that goes on; the server's own when absent. */
  cwd: string | undefined;
}

export interface PrepareContext {
  core: Core;
  /** An empty folder, for turns that are to find nothing. */
  emptyFolder(): Promise<string>;
  /** How long a call of the caller's tools may stay open, milliseconds. */
  toolTimeoutMs: number;
}

/** A runtime wants words beside a picture. */
const PICTURE = 'See the attached image.';

/** No tools of its own where the runtime can be kept from them, else nothing that changes anything. */
const harmless = ({ runner }: ModelName): Given['access'] => (runner?.access.none ? 'none' : 'read');

async function manners(ask: Ask, { emptyFolder }: PrepareContext): Promise<Given> {
  if (ask.model.manner === 'agent') return {};
  const quiet: Given = { access: harmless(ask.model), cwd: await emptyFolder() };
  return ask.model.manner === 'task' && ask.model.runner?.effort ? { effort: 'low', ...quiet } : quiet;
}

/** Some runtimes take pictures by path alone. */
async function written(images: readonly Picture[]): Promise<{ files: ImageFile[]; release(): Promise<void> }> {
  if (images.length === 0) return { files: [], release: async () => {} };
  const dir = await privateDir();
  try {
    const files: ImageFile[] = [];
    for (const [index, image] of images.entries()) {
      const path = join(dir.path, `image-${index + 1}.${image.mediaType.slice('image/'.length)}`);
      await writeFile(path, Buffer.from(image.data, 'base64'), { flag: 'wx', mode: 0o600 });
      files.push({ ...image, path });
    }
    return { files, release: () => dir.remove() };
  } catch (error) {
    await dir.remove();
    throw error;
  }
}

/** @throws UsageError in the words of the request */
export async function prepare(ask: Ask, asked: Asked, context: PrepareContext): Promise<Prepared> {
  const { core, toolTimeoutMs } = context;
  const { model, system, effort, schema, own, spelling, maxTurns } = ask;
  const tools = model.manner === 'task' ? [] : ask.tools;
  const given: Given = {
    ...(asked.cwd === undefined ? {} : { cwd: asked.cwd }),
    ...own.options,
    ...(await manners(ask, context)),
    runtime: model.runtime,
    prompt: asked.prompt === '' && asked.images.length > 0 ? PICTURE : asked.prompt,
    ...(model.model === null ? {} : { model: model.model }),
    ...(system === null ? {} : { system }),
    ...(effort === null ? {} : { effort }),
    ...(schema === null ? {} : { outputSchema: schema }),
    ...(maxTurns === null ? {} : { maxTurns }),
    // Whoever answers a call has as long as the turn waits for it.
    ...(tools.length === 0 ? {} : { tools, callerTools: 'stdio' as const, toolTimeoutMs }),
  };
  if (schema !== null) await checkAnswerSchema(schema, place(spelling, ['outputSchema']));
  checkTogether(given, spelling);
  const { files, release } = await written(asked.images);
  try {
    const around = { spelling, cwd: core.cwd, ambient: core.ambient };
    return { plan: planTurn(given, { ...around, images: files }), release };
  } catch (error) {
    await release();
    throw error;
  }
}
