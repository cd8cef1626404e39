/** Tries another version of a program: does it still pass, and does it still speak the same words? */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keptFolder, type RunOptions, run } from './campaign.js';
import { install } from './install.js';
import { pinTo } from './programs.js';
import { recipes } from './recipes/generated.js';
import { nameOf, programOf } from './recipes/recipe.js';
import { scenarios } from './scenarios/index.js';
import { difference, vocabularyOf } from './vocabulary.js';

const SHOWN = 20;

interface Vocabulary {
  version: string;
  /** The rows it was heard in; others make a program say other words. */
  rows: string[];
  words: string[];
}

function readJson<T>(path: string, absent: T): T {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : absent;
}

function writeJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

function recordingsBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

/**
 * Installs the version beside the pinned one, runs rows on it, and writes `src/discovery/compat.json`: bad
 * when a row failed, tested when all core rows passed, else nothing. The vocabulary of a
 * version that passes becomes the recorded one where there is none yet.
 * @returns the exit code: 0 when all rows passed, 1 when one failed, 2 when the version can't be tried
 */
export async function drift(root: string, id: string, version: string, options: RunOptions): Promise<number> {
  const recipe = recipes.find((one) => programOf(one) === id);
  if (recipe === undefined) {
    console.error(`no recipe for ${id}. Known: ${[...new Set(recipes.map(programOf))].join(', ')}`);
    return 2;
  }
  try {
    pinTo(id, version);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 2;
  }
  if ((await install([id])) !== 0) return 2;
  const file = join(root, 'fixtures', recipe.runtime, 'vocabulary.json');
  const recorded = readJson<Vocabulary | null>(file, null);
  const only = options.only.length > 0 || options.core ? options.only : (recorded?.rows ?? []);
  const failed: string[] = [];
  const rows: string[] = [];
  const code = await run({
    ...options,
    runtimes: [nameOf(recipe)],
    only,
    smoke: only.length === 0 && !options.core,
    record: true,
    dry: true,
    onRow: ({ scenario, outcome }) => {
      rows.push(scenario);
      if (outcome === 'FAIL') failed.push(scenario);
    },
  });
  const words = vocabularyOf(recordingsBelow(join(keptFolder(), nameOf(recipe))));
  if (code === 2 || words.length === 0) {
    console.error(`${id} ${version}: no turn was recorded, so nothing is known of it`);
    return 2;
  }
  const comparable = recorded?.rows.every((row) => rows.includes(row)) ?? false;
  const changes = comparable && recorded ? difference(recorded.words, words) : { gone: [], fresh: [] };
  if (recorded === null && failed.length === 0) writeJson(file, { version, rows, words } satisfies Vocabulary);
  for (const [what, list] of Object.entries(changes)) {
    for (const word of list.slice(0, SHOWN)) console.log(`${what === 'gone' ? '-' : '+'} ${word}`);
    if (list.length > SHOWN) console.log(`  … and ${list.length - SHOWN} more`);
  }
  const note = failed.length > 0 ? `failed: ${failed.join(', ')}` : `rows passed: ${rows.join(', ')}; ${heard()}`;
  function heard(): string {
    if (recorded === null) return 'its words were recorded';
    if (!comparable) return `its words were not compared, which takes the rows ${recorded.rows.join(', ')}`;
    return `${changes.gone.length} words gone and ${changes.fresh.length} new since ${recorded.version}`;
  }
  const missing = scenarios.filter(({ core, name }) => core && !rows.includes(name)).map(({ name }) => name);
  if (failed.length === 0 && missing.length > 0) {
    // A few rows prove no version: scan would call it tested.
    console.log(`${id} ${version}: ${note}; not written down, which takes --core (not run: ${missing.join(', ')})`);
    return 0;
  }
  const path = join(root, 'src', 'discovery', 'compat.json');
  const table = readJson<Record<string, Record<string, object>>>(path, {});
  const versions = { ...table[recipe.runtime], [version]: { verdict: failed.length > 0 ? 'bad' : 'tested', note } };
  writeJson(path, { ...table, [recipe.runtime]: versions });
  console.log(`${id} ${version}: ${note}`);
  return failed.length > 0 ? 1 : 0;
}
