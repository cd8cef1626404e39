/** What a descriptor is, by the bits of its mode. */

const FORMAT = 0o170000;
const FIFO = 0o010000;

/** Whether it is a pipe. On Windows Node's `isFIFO()` always returns false (seen on 20.20 and 22.14); the bits are right. */
export function isPipe(stat: { mode: number }): boolean {
  return (stat.mode & FORMAT) === FIFO;
}
