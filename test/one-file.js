// What the runners of tests share: which files there are, what is wrong with one before it runs, how it is bundled, and
// how what it printed is judged.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** All test files under a path but those in folders to skip; a file that is named is taken whatever it is called. */
export function testFiles(path, skip = []) {
  if (!existsSync(path)) throw new Error(`no such test: ${relative(root, path)}`);
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const full = join(path, entry.name);
      if (entry.isDirectory()) return skip.includes(full) ? [] : testFiles(full, skip);
      return entry.name.endsWith('.test.ts') ? [full] : [];
    });
}

/** What is wrong with a file before it runs, or null. */
export function complaint(source) {
  if (/\.only\(/.test(source)) return 'uses .only(: the other tests would be skipped silently';
  if (!/\.run\(\)/.test(source)) return 'never calls .run(): its tests would not run';
  return null;
}

/** Milliseconds that a file may take. */
export function limitOf(source) {
  const asked = /^\/\/ limit: (\d+)s\s*$/.exec(source.slice(0, source.indexOf('\n')));
  return (asked ? Number(asked[1]) : 60) * 1000;
}

/** @returns the bundle's path below `.build/` */
export async function bundle(file, folder = 'test') {
  const name = relative(root, file).split(sep).join('/').replace(/\.ts$/, '');
  const outfile = join(root, '.build', folder, `${name}.mjs`);
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'linked',
    absWorkingDir: root,
    logLevel: 'silent',
  });
  return outfile;
}

/** The last `Total: n` (or Passed, Skipped) that uvu printed. */
function count(plain, word) {
  const found = [...plain.matchAll(new RegExp(`^\\s*${word}:\\s+(\\d+)\\s*$`, 'gm'))].at(-1);
  return found ? Number(found[1]) : null;
}

export function judge({ code, signal, output, late }, limit) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are taken out
  const plain = output.replace(/\u001b\[[0-9;]*m/g, '').replaceAll('\r\n', '\n');
  // uvu's bullets of the tests before stand in front of it on the same line.
  const skips = [...plain.matchAll(/(?:^|[ •✘])(SKIPPED: .*)$/gm)].map((match) => match[1]);
  const total = count(plain, 'Total');
  const passed = count(plain, 'Passed') ?? 0;
  const skipped = skips.length + (count(plain, 'Skipped') ?? 0);
  let problem = null;
  if (late) problem = `killed after ${limit / 1000} s`;
  else if (signal) problem = `ended by ${signal}`;
  else if (total === null) problem = `ended without a count (exit ${code})`;
  else if (total === 0 && skipped === 0) problem = 'executed no test';
  else if (passed < total) problem = `${total - passed} of ${total} failed`;
  else if (code !== 0) problem = `exit ${code} although all tests passed`;
  const failed = problem === null ? 0 : Math.max(1, (total ?? 0) - passed);
  return { passed: Math.max(0, passed - skips.length), failed, skipped, skips, problem };
}
