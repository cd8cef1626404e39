/** What Windows may be asked to start: a full path of a program that is there and needs no shell. */

import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { type Attempt, explain, LaunchError } from '../launch-error.js';
import { onPath } from '../system-program.js';

/** CreateProcess takes no working directory past MAX_PATH, whatever the registry says of long paths. */
const LONGEST_CWD = 258;

/**
 * A bare name is looked up in PATH: Windows would begin in the working folder.
 * @returns the argv with a full path
 * @throws {LaunchError} nothing is there, only a shell could start it, or Windows starts nothing in that folder
 */
export async function startable(attempt: Attempt): Promise<readonly string[]> {
  const { length } = attempt.cwd;
  if (length > LONGEST_CWD)
    throw new LaunchError(
      'cwd',
      `the working directory is too long for Windows: ${length} characters; programs can be started in one of ${LONGEST_CWD} at most`,
    );
  const [program = '', ...args] = attempt.argv;
  const path = isAbsolute(program) ? program : onPath(program, attempt.env, { cwd: attempt.cwd });
  const found = await stat(path).catch((error: unknown) => error);
  const argv = [path, ...args];
  if (found instanceof Error) throw await explain(found, { ...attempt, argv });
  if (/\.(?:exe|com)$/i.test(path)) return argv;
  throw new LaunchError('permission', `${path} is no .exe or .com file, and nothing is started through a shell`);
}
