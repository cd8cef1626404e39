/** Reads exec's flags as the command does, in a folder of its own. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { readExec } from '../../src/commands/exec.js';
import { UsageError } from '../../src/contract/error.js';
import type { ExecPlan, Surroundings } from '../../src/request/from-argv.js';

export const folder = mkdtempSync(join(tmpdir(), 'exec-request-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Writes a file of that folder. @returns its name */
export function file(name: string, content: string | object): string {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

export async function* bytes(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

export function around(changes: Partial<Surroundings> = {}): Surroundings {
  return {
    cwd: folder,
    env: { HOME: '/home/user' },
    stdin: () => {
      throw new Error('stdin was touched');
    },
    firstLine: () => {
      throw new Error('stdin was touched');
    },
    ...changes,
  };
}

export const read = (...argv: string[]): Promise<ExecPlan> =>
  readExec(['--runtime', 'demo', '--prompt', 'hello', ...argv], around());
export const readBare = (...argv: string[]): Promise<ExecPlan> => readExec(argv, around());

/** The usage error of a call that must fail. */
export async function fault(call: Promise<unknown>): Promise<UsageError> {
  const outcome = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome instanceof UsageError) return outcome;
  throw outcome ?? new Error('was accepted');
}

export async function refuses(call: Promise<unknown>, pattern: RegExp): Promise<void> {
  assert.match((await fault(call)).message, pattern);
}
