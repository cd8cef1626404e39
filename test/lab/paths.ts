import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the user's caches live on this platform; programs of a gigabyte belong there, not into the repository. */
function cacheFolder(): string {
  if (process.platform === 'win32') return process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
}

/** One folder for all installed programs, reused between runs and by CI. */
export function labFolder(): string {
  return process.env.TURNOUT_LAB_DIR ?? join(cacheFolder(), 'turnout-lab');
}
