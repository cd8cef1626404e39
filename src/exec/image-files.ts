/** Pictures that came as data get a private file, for runtimes that read them from disk. */

import type { PrivateDir } from '../process/temp-files.js';
import type { ImageFile, TurnRequest } from '../runner/request.js';

const ENDING: Readonly<Record<ImageFile['mediaType'], string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** @param privateDir made where there is something to write */
export async function withImageFiles(
  request: TurnRequest,
  privateDir: () => Promise<PrivateDir>,
): Promise<TurnRequest> {
  if (!request.images?.some(({ path }) => path === null)) return request;
  const dir = await privateDir();
  const images: ImageFile[] = [];
  for (const [index, image] of request.images.entries()) {
    const name = `image-${index + 1}.${ENDING[image.mediaType]}`;
    const path = image.path ?? (await dir.write(name, Buffer.from(image.data, 'base64')));
    images.push({ ...image, path });
  }
  return { ...request, images };
}
