import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { privateDir } from '../../src/process/temp-files.js';
import { runProgram } from '../run-program.js';
import { until } from './survivors.js';

const test = suite('temporary files');
const mode = (path: string) => statSync(path).mode & 0o777;

test('a folder for us alone with files for us alone, whatever the umask is', async () => {
  const before = process.umask(0);
  try {
    const dir = await privateDir();
    const file = await dir.write('prompt.txt', 'é\0日本');
    assert.is(dirname(dir.path), tmpdir());
    assert.is(mode(dir.path), 0o700);
    assert.is(mode(file), 0o600);
    assert.is(file, join(dir.path, 'prompt.txt'));
    assert.is(readFileSync(file, 'utf8'), 'é\0日本');
    await dir.remove();
    assert.not.ok(existsSync(dir.path));
    await dir.remove();
  } finally {
    process.umask(before);
  }
});

test('two files of one name get places of their own and keep the name', async () => {
  const dir = await privateDir();
  const files = [await dir.write('a.json', '1'), await dir.write('a.json', '2'), await dir.write('a.json', '3')];
  assert.equal(
    files.map((file) => readFileSync(file, 'utf8')),
    ['1', '2', '3'],
  );
  assert.ok(
    files.every((file) => basename(file) === 'a.json' && mode(file) === 0o600 && mode(dirname(file)) === 0o700),
  );
  await dir.remove();
});

test('a name that leads elsewhere is refused', async () => {
  const dir = await privateDir();
  for (const name of ['', '.', '..', '../x', 'a/b', '/etc/x']) {
    const refused = await dir.write(name, 'x').then(
      () => false,
      () => true,
    );
    assert.ok(refused, name);
  }
  assert.equal(readdirSync(dir.path), []);
  await dir.remove();
});

test('it is gone after any exit of ours, a kill too', async () => {
  const place = mkdtempSync(join(tmpdir(), 'exit-'));
  const program = join(process.cwd(), '.build', 'test', 'process', `exit-${process.pid}.mjs`);
  await build({
    stdin: {
      contents: `import { privateDir } from './src/process/temp-files.js';
        const dir = await privateDir();
        await dir.write('a', 'x');
        console.log(dir.path);
        if (process.argv[2] === 'throw') throw new Error('on purpose');
        if (process.argv[2] === 'kill') process.kill(process.pid, 'SIGKILL');
        process.exit(3);`,
      resolveDir: process.cwd(),
      loader: 'ts',
    },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  for (const how of ['exit', 'throw']) {
    const ran = runProgram(process.execPath, [program, how], {
      env: { ...process.env, TMPDIR: place },
    });
    assert.match(ran.stdout, place);
    assert.equal(readdirSync(place), [], how);
  }
  if (process.platform !== 'win32') {
    runProgram(process.execPath, [program, 'kill'], { env: { ...process.env, TMPDIR: place } });
    await until('the folder is gone', () => readdirSync(place).length === 0);
  }
  rmSync(place, { recursive: true });
});

test.run();
