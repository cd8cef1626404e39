/** Pictures that come within a request, as data. */

import { LIMITS } from '../../contract/limits.js';
import type { ImageFile } from '../../runner/request.js';
import { type ApiError, invalid } from './failure.js';

/** A picture that is not in a file yet; `data` is base64. */
export type Picture = Pick<ImageFile, 'mediaType' | 'data'>;

const TYPES: readonly Picture['mediaType'][] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const DATA = /^data:([a-z]+\/[a-z0-9.+-]+)(?:;[a-z]+=[^;,]*)*;base64,/i;
const UNSUPPORTED = 'unsupported_content_type';

export const unsupported = (param: string, what: string): ApiError => invalid(param, what, UNSUPPORTED);

/** @param data base64 @throws ApiError 400 */
export function imageOf(type: string, data: string, param: string): Picture {
  const mediaType = TYPES.find((one) => one === type.toLowerCase());
  if (mediaType === undefined) throw unsupported(param, `expected a PNG, JPEG, GIF or WebP image, not ${type}`);
  const compact = data.replace(/\s/g, '');
  if (compact === '' || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(compact)) throw invalid(param, 'expected base64');
  if ((compact.length * 3) / 4 > LIMITS.image) throw invalid(param, 'an image has up to 20 MiB');
  return { mediaType, data: compact };
}

/** A `data:` URL. Nothing is fetched: a server that fetches what it is given can be made to reach what only it can reach. */
export function imageAt(url: string, param: string): Picture {
  const found = DATA.exec(url);
  if (!found) throw unsupported(param, 'expected a data: URL with an image in base64; other URLs are not fetched');
  return imageOf(found[1] ?? '', url.slice(found[0].length), param);
}
