// limit: 180s
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostileScripts } from './hostile.js';
import { canConfine, place, sh, walls } from './walled.js';

const test = suite('hostile scripts');

/** Everything below a folder but the working folder: names, and contents of files. */
function outside(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ path }) => path !== join(folder, 'work') && !path.startsWith(join(folder, 'work', '/')))
    .map(({ entry, path }) => (entry.isFile() ? `${path}: ${readFileSync(path, 'utf8')}` : path))
    .sort();
}

/** Processes whose command line names a folder. */
function alive(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(folder);
      } catch {
        return false;
      }
    });
}

if (canConfine()) {
  test('of 200 none changes a byte outside the folder, and none leaves a process behind', () => {
    const here = place();
    const home = join(here.outside, 'home');
    mkdirSync(home);
    for (const file of [join(here.outside, 'keep'), join(home, 'keep')]) writeFileSync(file, 'as it was');
    try {
      const before = outside(here.outside);
      const inside = walls(here.cwd, { home });
      const start = `OUT=${here.outside}; HOME=${home}; export OUT HOME; cd ${here.cwd}; `;
      for (const script of hostileScripts(200, Number(process.env['TURNOUT_SEED'] ?? 3))) {
        sh(start + script, { cwd: here.cwd, in: inside });
        assert.equal(outside(here.outside), before, script);
        assert.equal(alive(here.outside), [], script);
      }
      // Without walls the first words do change something.
      sh(`${start} echo x > $OUT/f`, { cwd: here.cwd });
      assert.is.not(outside(here.outside).length, before.length);
    } finally {
      here.remove();
    }
  });
}

test.run();
