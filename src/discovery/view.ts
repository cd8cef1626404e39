/** One look at the machine, shared by the searches of a scan: each folder is listed once, however many programs are sought. */

import type { Files } from './files.js';
import { diskFiles, remembering } from './files.js';
import { knownFolders } from './known-folders.js';
import type { Places } from './places.js';
import { pathsOf } from './places.js';
import type { SearchPath } from './search-path.js';
import { extensions, lastResort, searchPath } from './search-path.js';

export interface View {
  places: Places;
  files: Files;
  paths: ReturnType<typeof pathsOf>;
  search: SearchPath;
  extensions: readonly string[];
  /** Folders that PATH may lack; listed when first asked for. */
  known(): Promise<readonly string[]>;
  /** Why a folder is only a last resort, or null. Links are followed on both sides. */
  lastResort(folder: string): Promise<string | null>;
}

/** Opens a view. It goes stale: make a new one for each search. */
export function viewOf(places: Places): View {
  const files = remembering(places.files ?? diskFiles(places.platform));
  let known: Promise<readonly string[]> | undefined;
  return {
    places,
    files,
    paths: pathsOf(places.platform),
    search: searchPath(places),
    extensions: extensions(places),
    known() {
      known ??= knownFolders(places, files);
      return known;
    },
    async lastResort(folder) {
      const cwd = (await files.real(places.cwd)) ?? places.cwd;
      const home = (await files.real(places.home)) ?? places.home;
      const real = (await files.real(folder)) ?? folder;
      return lastResort(folder, places) ?? lastResort(real, { ...places, cwd, home });
    },
  };
}
