/** Folders in which no agent may write by its mode alone: something that runs unasked is there, or is configured from there. */

import { isAbsolute, relative, sep } from 'node:path';
import { realFolder } from '../process/real-folder.js';
import type { Machine } from '../runner/machine.js';

function contains(folder: string, path: string): boolean {
  const away = relative(folder, realFolder(path));
  return away === '' || (away !== '..' && !away.startsWith(`..${sep}`) && !isAbsolute(away));
}

/**
 * Why a turn that lets the agent write in `cwd` is refused there; null when it is fine.
 * @param cwd real path
 */
export function unfitPlace(cwd: string, machine: Machine): string | null {
  const { program, home, turnout } = machine;
  const wanted = 'choose a project folder with --cwd, or --access read';
  if (contains(cwd, home)) {
    return `${cwd} holds the home folder, whose files decide what shells, git and agents run: ${wanted}`;
  }
  const own = turnout.filter((word) => isAbsolute(word));
  if (own.some((path) => contains(cwd, path))) {
    return `turnout itself lies in ${cwd}, where the agent could change it: ${wanted}`;
  }
  const parts = [program.real, program.found, program.path, ...program.args].filter((path) => isAbsolute(path));
  if (!turnout.includes(program.path) && parts.some((path) => contains(cwd, path))) {
    return `the program ${program.found} lies in ${cwd}, where the agent could change it: ${wanted}`;
  }
  return null;
}
