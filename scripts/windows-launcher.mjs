// Compiles the launcher that keeps a runtime on Windows in a job object (src/process/windows/turnout-job.c) into
// dist/windows. One program of 16 KB for x64 serves arm64 as well, where Windows 11 runs it by emulation.
//
//   node scripts/windows-launcher.mjs --required   fails where dist/ lacks it: before a package is published
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execaSync } from 'execa';

/** On Windows the compiler of MinGW bears no prefix. */
const COMPILERS = process.platform === 'win32' ? ['x86_64-w64-mingw32-gcc', 'gcc'] : ['x86_64-w64-mingw32-gcc'];
// Without the time of the link two builds are the same to the byte.
const FLAGS = ['-Wall', '-Wextra', '-Werror', '-Os', '-s', '-municode', '-static', '-Wl,--no-insert-timestamp'];

/**
 * @param {string} root of the project
 * @param {string} dist
 * @returns {boolean} whether it was compiled: only where there is a compiler
 */
export function buildLauncher(root, dist) {
  const source = join(root, 'src', 'process', 'windows', 'turnout-job.c');
  const target = join(dist, 'windows', 'turnout-job.exe');
  mkdirSync(join(dist, 'windows'), { recursive: true });
  for (const compiler of COMPILERS) {
    const ran = execaSync(compiler, [...FLAGS, source, '-o', target], { reject: false });
    if (ran.exitCode === 0) return true;
    if (ran.exitCode !== undefined) throw new Error(`${compiler}: ${ran.stderr}`);
  }
  return false;
}

if (process.argv.includes('--required') && !existsSync(resolve('dist', 'windows', 'turnout-job.exe'))) {
  console.error(`dist/windows/turnout-job.exe is missing: install ${COMPILERS[0]} (MinGW-w64) and run npm run build`);
  process.exitCode = 1;
}
