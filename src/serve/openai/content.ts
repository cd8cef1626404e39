/** What a message holds: a text, or a list of parts, whose types differ between chat completions and responses. */

import type { Json } from '../../contract/vocabulary.js';
import { invalid } from './failure.js';
import type { Picture } from './images.js';

export interface Content {
  text: string;
  images: Picture[];
}

/** @param part reads one part @throws the surface's error for another type of value */
export function content(value: Json | undefined, at: string, part: (value: Json, at: string) => Content): Content {
  if (value === undefined || value === null) return { text: '', images: [] };
  if (typeof value === 'string') return { text: value, images: [] };
  if (!Array.isArray(value)) throw invalid(at, 'expected a text or a list of parts', 'invalid_type');
  const parts = value.map((one, index) => part(one, `${at}[${index}]`));
  const texts = parts.map((one) => one.text).filter((one) => one !== '');
  return { text: texts.join('\n'), images: parts.flatMap(({ images }) => images) };
}
