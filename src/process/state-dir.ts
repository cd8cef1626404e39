/** Where turnout keeps what it has to remember between runs. */

import { homedir } from 'node:os';
import { join } from 'node:path';

/** `$XDG_STATE_HOME/turnout`, else `~/.local/state/turnout` (`%LOCALAPPDATA%\turnout` on Windows). */
export function stateDir(env: NodeJS.ProcessEnv): string {
  if (env['XDG_STATE_HOME']) return join(env['XDG_STATE_HOME'], 'turnout');
  if (process.platform === 'win32' && env['LOCALAPPDATA']) return join(env['LOCALAPPDATA'], 'turnout');
  return join(homedir(), '.local', 'state', 'turnout');
}
