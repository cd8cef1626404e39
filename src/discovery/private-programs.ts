/** Programs that `turnout agent install` put into a folder of ours, which no self-updater and no other tool changes. */

import { type Places, pathsOf, variable } from './places.js';

/** `programs` in the state folder: one folder a runtime, by its id. */
export function privatePrograms(places: Pick<Places, 'env' | 'home' | 'platform'>): string {
  const paths = pathsOf(places.platform);
  const state = variable(places, 'XDG_STATE_HOME');
  const local = places.platform === 'win32' ? variable(places, 'LOCALAPPDATA') : null;
  const base = state ?? local ?? paths.join(places.home, '.local', 'state');
  return paths.join(base, 'turnout', 'programs');
}

/** Where npm puts the programs of a package that is installed into that folder. */
export function privateBins(places: Pick<Places, 'env' | 'home' | 'platform'>, id: string): string {
  return pathsOf(places.platform).join(privatePrograms(places), id, 'node_modules', '.bin');
}
