/** The name under which we were started: hosts of the original protocol look for theirs. */

import { parse } from 'node:path';

/** Names that a link to us may have, beside our own. */
export const PERSONAS = ['monomind'] as const;
export type Persona = (typeof PERSONAS)[number];

/** @param script as Node was given it: the link, not what it leads to @returns null under our own name */
export function personaOf(script: string | undefined = process.argv[1]): Persona | null {
  const { name } = parse(script ?? '');
  return PERSONAS.find((one) => one === name) ?? null;
}
