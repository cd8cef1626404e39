/**
 * Tokens where nobody has counted them. Clients of this API need numbers: what no runtime reported is estimated from the
 * length of the text, and marked as an estimate wherever it stands.
 */

import type { JsonObject } from '../../../contract/vocabulary.js';
import type { Ask } from '../ask.js';
import type { Used } from '../pieces.js';

/** English text has about four characters for each token. */
const CHARACTERS = 4;
/** About what a picture of a megapixel counts. */
const PICTURE = 1500;

export const estimate = (text: string): number => Math.ceil(text.length / CHARACTERS);

/** What a request brings along; what the runtime adds of its own is not known. */
export function estimateAsk({ system, messages, tools }: Pick<Ask, 'system' | 'messages' | 'tools'>): number {
  const texts = [system ?? '', ...tools.map((tool) => JSON.stringify(tool))];
  let pictures = 0;
  for (const { text, calls, images } of messages) {
    texts.push(text, ...calls.map(({ name, arguments: args }) => `${name}${args}`));
    pictures += images.length;
  }
  return estimate(texts.join('\n')) + pictures * PICTURE;
}

/** The mark of figures that are estimates. */
const ESTIMATED = { turnout_estimated: true };

/** Before anything is known. */
export const usageAtStart = (input: number): JsonObject => ({
  input_tokens: input,
  cache_creation_input_tokens: null,
  cache_read_input_tokens: null,
  output_tokens: 0,
  ...ESTIMATED,
});

/**
 * Here input does not include what was read from a cache.
 * @param guess estimates, for what was not reported
 */
export function usageOf({ input, output, cached }: Used, guess: { input: number; output: number }): JsonObject {
  const known = input !== null && output !== null;
  return {
    input_tokens: input === null ? guess.input : Math.max(0, input - (cached ?? 0)),
    cache_creation_input_tokens: null,
    cache_read_input_tokens: input === null ? null : cached,
    output_tokens: output ?? guess.output,
    turnout_estimated: !known,
  };
}

export const counted = (ask: Ask): JsonObject => ({ input_tokens: estimateAsk(ask), ...ESTIMATED });
