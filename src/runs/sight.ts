/** Who may see what. */

import { OWNER } from '../contract/principal.js';
import type { Caller } from './ports.js';

/** The owner sees everything; anybody else what is their own. */
export function sees({ principal }: Caller, record: { principal: string }): boolean {
  return principal.kind === 'owner' || principal.name === record.principal;
}

/** The owner, through a surface. */
export const ownerAt = (surface: string): Caller => ({ principal: OWNER, surface });
