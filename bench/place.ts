/** Scratch folders and a clean environment: nothing of the person's is read, and no figure hangs on it. */

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Place {
  folder: string;
  env: Record<string, string>;
}

const made: string[] = [];

export function place(env: Record<string, string> = {}): Place {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-bench-'));
  made.push(folder);
  const home = join(folder, 'home');
  mkdirSync(home);
  return { folder, env: { PATH: process.env['PATH'] ?? '', HOME: home, USERPROFILE: home, LC_ALL: 'C.UTF-8', ...env } };
}

export function removePlaces(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A program that runs another, whatever arguments it is given. @returns its path */
export function standIn(folder: string, name: string, argv: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\nexec ${argv.map(quote).join(' ')}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** The argv of a turn of ours. */
export function turn(root: string, runtime: string, prompt = 'hello', node = process.execPath): string[] {
  return [node, join(root, 'bin', 'turnout.js'), 'agent', 'exec', '--runtime', runtime, '--prompt', prompt];
}
