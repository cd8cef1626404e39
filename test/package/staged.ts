/** The package as npm would publish it, unpacked into a scratch folder. */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../run-program.js';

const root = process.env['TURNOUT_ROOT'] ?? process.cwd();

/** Runs a program of this Node and gives what it said. */
export function node(script: string, args: readonly string[], cwd: string) {
  return runProgram(process.execPath, [script, ...args], {
    cwd,
    env: { ...process.env, FORCE_COLOR: '0' },
  });
}

export const program = (...path: string[]) => join(root, 'node_modules', ...path);

export interface Staged {
  /** A project that has the package installed. */
  project: string;
  /** The package's own folder. */
  folder: string;
}

/** Copies what `files` names and writes the type declarations, which a stale build may lack. */
export function stagePackage(): Staged {
  const project = mkdtempSync(join(tmpdir(), 'turnout-package-'));
  const folder = join(project, 'node_modules', 'turnout');
  mkdirSync(folder, { recursive: true });
  const pkg: { files: string[]; scripts?: unknown } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of [...pkg.files.filter((file) => !file.startsWith('!')), 'README.md', 'LICENSE']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  const { scripts: _, ...rest } = pkg;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(rest, null, 2));
  const emitted = node(
    program('typescript', 'bin', 'tsc'),
    ['-p', join(root, 'tsconfig.build.json'), '--outDir', join(folder, 'dist', 'types')],
    root,
  );
  if (emitted.status !== 0) throw new Error(emitted.stdout + emitted.stderr);
  for (const library of ['ajv', 'zod']) symlinkSync(program(library), join(project, 'node_modules', library));
  writeFileSync(join(project, 'package.json'), '{"type":"module","private":true}');
  return { project, folder };
}
