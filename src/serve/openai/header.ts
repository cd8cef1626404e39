import type { Exchange } from '../listen/surface.js';

/** @param name in lower case @returns a header that came once */
export function header({ headers }: Exchange, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
