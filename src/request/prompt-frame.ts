/** `--prompt-frame`: the prompt and its pictures as the first line on stdin, before any other frame. */

import type { UsageError } from '../contract/error.js';
import { LIMITS } from '../contract/limits.js';
import type { ImageFile } from '../runner/request.js';
import { arr, isObject, parseJson, str } from '../text/json.js';
import { imageOf } from './attachments.js';
import type { ReadPrompt, Surroundings } from './from-argv.js';
import type { Place } from './place.js';

/** How long the frame may take to arrive, in milliseconds. */
const ARRIVES_MS = 30_000;

function missing(why: 'late' | 'ended' | 'long', at: Place): UsageError {
  const form = '{"v":1,"type":"prompt","text":"…"}';
  switch (why) {
    case 'late':
      return at.fault('missing', `no frame came on stdin within 30 s; send ${form} and a line break`);
    case 'ended':
      return at.fault('missing', `stdin ended before a frame came; send ${form}`);
    case 'long':
      return at.fault('size', `the first line on stdin has more than ${LIMITS.promptFrame / (1024 * 1024)} MiB`);
  }
}

/** @throws UsageError when none comes in 30 s, and for a line that is not a prompt frame */
export async function readPromptFrame(around: Surroundings, at: Place): Promise<ReadPrompt> {
  const read = await around.firstLine({ bytes: LIMITS.promptFrame, ms: ARRIVES_MS });
  if ('why' in read) throw missing(read.why, at);
  const frame = parseJson(read.line);
  if (!isObject(frame)) throw at.fault('form', 'the first line on stdin is not a JSON object');
  if (frame['type'] !== 'prompt') {
    throw at.fault(
      'form',
      `the first frame must be of type prompt, not ${JSON.stringify(frame['type'] ?? null).slice(0, 80)}`,
    );
  }
  const text = str(frame, 'text');
  if (text === undefined || text.trim() === '') throw at.fault('missing', 'expected "text" that is not empty');
  if (Buffer.byteLength(text) > LIMITS.promptFile) throw at.fault('size', '"text" has more than 16 MiB');
  const images = (arr(frame, 'images') ?? []).map((one, index): ImageFile => {
    const data = str(one, 'data');
    if (data === undefined) throw at.in('images').in(index).fault('missing', 'expected "data" in base64');
    return imageOf(data, str(one, 'media_type'), at.in('images').in(index));
  });
  return { text, fromStdin: false, ...(images.length > 0 ? { images } : {}) };
}
