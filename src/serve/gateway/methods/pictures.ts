/** Pictures that go with the next prompt. */

import { readFileSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { JsonObject } from '../../../contract/vocabulary.js';
import { needSession } from '../find.js';
import type { Attached } from '../gateway.js';
import { type Asking, type Methods, method } from '../method.js';
import { text } from '../params.js';
import { keepPicture } from '../prompt.js';
import { CODE, RpcError } from '../rpc.js';

const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};
/** Bytes, as for `--image`. */
const MOST = 20 * 1024 * 1024;

async function attach(asking: Asking, session: string | undefined, picture: () => Promise<Attached>) {
  const { session_id } = await needSession(asking, session);
  const one = await picture();
  const { images } = asking.gateway.touch(session_id);
  images.push(one);
  const { path, name } = one;
  return { attached: true, path, name, count: images.length, remainder: '', text: `[User attached image: ${name}]` };
}

/** @throws {RpcError} 4015, 4016 */
async function fromFile(path: string): Promise<Attached> {
  if (path === '') throw new RpcError(CODE.pathRequired, 'path required');
  const type = TYPES[extname(path).toLowerCase()];
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new RpcError(CODE.badFile, `image not found: ${path}`);
  if (type === undefined || found.size > MOST)
    throw new RpcError(CODE.badFile, `unsupported image: ${path} (png, jpeg, gif or webp of at most 20 MiB)`);
  return keepPicture(readFileSync(path).toString('base64'), type, basename(path));
}

export const PICTURES: Methods = {
  'image.attach': method({ session_id: text, path: text, profile: text }, async (asking, values) => {
    if (asking.caller.principal.kind !== 'owner')
      throw new RpcError(CODE.unsupported, 'only the owner can attach files of this machine: image.attach_bytes');
    return attach(asking, values.session_id, () => fromFile(values.path ?? ''));
  }),
  'image.attach_bytes': method(
    { session_id: text, content_base64: text, filename: text, mime_type: text, profile: text },
    async (asking, { session_id, content_base64 = '', filename, mime_type }) =>
      attach(asking, session_id, () =>
        keepPicture(
          content_base64.replace(/^data:[^,]*,/, ''),
          mime_type ?? TYPES[extname(filename ?? '').toLowerCase()] ?? 'image/png',
          filename,
        ),
      ),
  ),
  'image.detach': method(
    { session_id: text, path: text, profile: text },
    async (asking, values): Promise<JsonObject> => {
      const { session_id } = await needSession(asking, values.session_id);
      const { images } = asking.gateway.touch(session_id);
      const at = images.findIndex(({ path, name }) => path === values.path || name === values.path);
      const [gone] = at < 0 ? [] : images.splice(at, 1);
      await gone?.remove();
      return { detached: gone !== undefined, count: images.length };
    },
  ),
};
