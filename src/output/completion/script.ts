/** Scripts that teach a shell our commands, flags and values. Everything is in the script: pressing Tab starts nothing. */

import { bash } from './bash.js';
import type { CompletionCommand, Shell } from './commands.js';
import { fish } from './fish.js';
import { powershell } from './powershell.js';
import { zsh } from './zsh.js';

/** @param commands in the order of help */
export function completionScript(shell: Shell, bin: string, commands: readonly CompletionCommand[]): string {
  switch (shell) {
    case 'bash':
      return bash(bin, commands);
    case 'zsh':
      return zsh(bin, commands);
    case 'fish':
      return fish(bin, commands);
    case 'powershell':
      return powershell(bin, commands);
    default: {
      const never: never = shell;
      throw new Error(String(never));
    }
  }
}
