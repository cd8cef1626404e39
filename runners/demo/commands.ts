/** Words of the demo's script as commands that a client may offer: `/shell ls` is `shell ls`. */

import type { Runner } from '../../src/runner/runner.js';

export const commands: NonNullable<Runner['commands']> = [
  { name: 'say', description: 'Says exactly this', hint: 'text' },
  { name: 'think', description: 'Thinks, then answers' },
  { name: 'plan', description: 'Makes a plan of three steps' },
  { name: 'shell', description: 'Runs a command', hint: 'command' },
  { name: 'write', description: 'Writes a file', hint: 'path text' },
  { name: 'ask', description: 'Asks for a permission' },
];

/** The prompt without the slash of a command; any other text as it is. */
export function asWords(prompt: string): string {
  const name = /^\/(\w+)(?=\s|$)/.exec(prompt)?.[1];
  return commands.some((one) => one.name === name) ? prompt.slice(1) : prompt;
}
