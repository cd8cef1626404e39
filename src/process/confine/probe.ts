/**
 * Whether the confinement holds on this machine: the real walls around a witness that tries to get out. That a binary
 * is there proves nothing; containers and hardened systems refuse what it needs, each in its own way.
 */

import { type Bwrap, findBwrap } from './bwrap.js';
import { NOT_INSTALLED } from './refusals.js';
import { forget, remember, remembered } from './remembered.js';
import type { Probed } from './try-walls.js';

const tried = async (bwrap: Bwrap, nests: boolean): Promise<Probed> =>
  (await import('./try-walls.js')).tryWalls(bwrap, nests);

const known = new Map<string, Promise<Probed>>();

/**
 * Once per process and binary, and where they hold once per boot.
 * @param options.bwrap for tests; not remembered beyond the process
 * @param options.nests whether the program builds a sandbox of its own inside
 */
export function probe(options: { nests: boolean; bwrap?: Bwrap | null }): Promise<Probed> {
  const bwrap = options.bwrap === undefined ? findBwrap() : options.bwrap;
  if (bwrap === null) return Promise.resolve({ ok: false, why: NOT_INSTALLED });
  const key = `${bwrap.path} ${bwrap.mtimeMs} ${options.nests}`;
  const before = known.get(key);
  if (before) return before;
  const probing = options.bwrap === undefined ? orRemembered(bwrap, options.nests) : tried(bwrap, options.nests);
  known.set(key, probing);
  return probing;
}

/** Walls could not be built: the next turn tries them anew. */
export function forgetProbes(): void {
  known.clear();
  forget();
}

async function orRemembered(bwrap: Bwrap, nests: boolean): Promise<Probed> {
  if (remembered(bwrap, nests)) return { ok: true, bwrap };
  const probed = await tried(bwrap, nests);
  if (probed.ok) remember(bwrap, nests);
  return probed;
}
