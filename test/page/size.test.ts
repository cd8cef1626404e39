import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('the size of the page');
const folder = join(process.env['TURNOUT_ROOT'] ?? process.cwd(), 'dist', 'page');
const KB = 1024;

const packed = (name: string) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
const sum = (names: Iterable<string>) => [...names].reduce((all, name) => all + packed(name), 0);

/** A script and everything that it imports at once; what comes by `import()` is not among it. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(join(folder, name), 'utf8');
  for (const [, other = ''] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) withImports(other, found);
  return found;
}

const files = readdirSync(folder);
const named = (start: string) => files.find((name) => name.startsWith(start)) ?? '';

test('what is loaded before anything is shown is at most 70 KB', () => {
  const first = withImports(named('main-'));
  assert.ok(first.size > 1);
  assert.ok(sum([...first, named('style-'), 'index.html']) <= 70 * KB);
});

test('all of it is at most 120 KB, and 400 KB unpacked', () => {
  assert.ok(sum(files) <= 120 * KB, `${sum(files)} bytes`);
  const unpacked = files.reduce((all, name) => all + readFileSync(join(folder, name)).length, 0);
  assert.ok(unpacked <= 400 * KB, `${unpacked} bytes`);
});

test('no source makes markup of a string', () => {
  const source = join(process.env['TURNOUT_ROOT'] ?? process.cwd(), 'src', 'page');
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name)) continue;
    const text = readFileSync(join(source, name), 'utf8');
    assert.not.match(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/, name);
  }
});

test.run();
