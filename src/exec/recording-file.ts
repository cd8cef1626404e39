/** `--record`: everything that passes through a turn, appended to a file that only its owner can read. */

import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { UsageError } from '../contract/error.js';
import { recorder } from '../record/recorder.js';
import type { TurnLimits } from '../turn/loop.js';
import type { ExecOptions } from './exec-turn.js';

export interface RecordingFile {
  /** To be given to `execTurn`. */
  hooks: Required<Pick<ExecOptions, 'tap' | 'began'>>;
  close(): void;
}

/**
 * @param mask takes credentials out of a text
 * @param lost told once when a line could not be written; the recording ends there and the turn goes on
 * @throws {UsageError} the file can't be written
 */
export function recordingFile(
  path: string,
  limits: TurnLimits,
  mask: (text: string) => string,
  lost: (message: string) => void,
): RecordingFile {
  let file: number | null;
  try {
    file = openSync(path, 'a', 0o600);
    // Windows opens a folder, and fails at the first write.
    if (fstatSync(file).isDirectory()) {
      closeSync(file);
      throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
    }
    // It may have been there before, readable by others. A device (/dev/null) keeps its mode: it is not ours.
    if (process.platform !== 'win32' && fstatSync(file).isFile()) fchmodSync(file, 0o600);
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new UsageError(`--record ${path}: can't be written (${why})`, { cause });
  }
  const close = () => {
    if (file !== null) closeSync(file);
    file = null;
  };
  const write = (line: string) => {
    if (file === null) return;
    try {
      writeSync(file, line);
    } catch (error) {
      close();
      lost(`the recording ${path} ends here: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const { begin, tap } = recorder(write, () => performance.now(), mask);
  return { hooks: { tap, began: (request, machine) => begin(request, machine, limits) }, close };
}
