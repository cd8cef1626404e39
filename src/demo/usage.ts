/** Made-up but steady accounts: four characters are a token, and tokens have a price. */

export interface Counted {
  input: number;
  output: number;
  cached: number;
  cost: number;
}

const CHARACTERS = 4;
/** Millionths of a dollar a token. */
const PRICE = { input: 1, output: 5 };

function tokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS);
}

/**
 * @param read characters the message was made from
 * @param cached how many of them had been read before
 * @param written characters of the message, thinking included
 */
export function counted(read: number, cached: number, written: number): Counted {
  const input = tokens(read);
  const output = tokens(written);
  return {
    input,
    output,
    cached: Math.min(input, tokens(cached)),
    cost: (input * PRICE.input + output * PRICE.output) / 1e6,
  };
}
