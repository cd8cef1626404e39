/** The runners that ship with turnout, and finding one by the name a caller used. */

import type { Runner } from '../runner/runner.js';

export { customAgent } from '../../runners/dialects/acp/custom.js';

import { GENERATED } from './generated.js';
import { nearestIds } from './nearest.js';

/** In scan order, which is also the order in which `auto` looks. */
export const runners: readonly Runner[] = GENERATED;

/** By id, else by alias: an id always wins over another runner's alias. Null when nobody answers to that name. */
export function byId(name: string, among: readonly Runner[] = runners): Runner | null {
  return among.find((runner) => runner.id === name) ?? among.find((runner) => answersTo(runner, name)) ?? null;
}

function answersTo(runner: Runner, alias: string): boolean {
  return runner.aliases?.includes(alias) === true;
}

/** "Did you mean": up to three ids that look like a name nobody answers to, the most similar first. */
export function nearest(name: string, among: readonly Runner[] = runners): string[] {
  return nearestIds(name, among);
}
