/** Turns in the caller's own process, in their folder or in a private copy of it. */

import type { LibraryOptions } from '../exec/library.js';
import { execBy } from '../exec/library-turn.js';
import type { Turn } from '../host/turn.js';
import { beginTurn } from './begin.js';

/**
 * Begins a turn. What is wrong with the options is thrown here, and a schema that does not compile where the events or
 * the result are read. Whatever happens later is said by events.
 * @throws {UsageError} an option that can't be meant
 */
export function exec<Schemas = Record<string, never>>(options: LibraryOptions<Schemas>): Turn {
  return execBy(options, beginTurn);
}
