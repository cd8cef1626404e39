// limit: 300s
/**
 * Guards what `npm run bench` measures, with bounds twice as wide as its targets: a busy machine fails none of them, a
 * library that is loaded at every start does. Ratios within one run alone, never times.
 */

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Bench, Figure, Row } from '../../bench/figure.js';
import { place, removePlaces, turn } from '../../bench/place.js';
import { scan } from '../../bench/rows/scan.js';
import { starts } from '../../bench/rows/starts.js';
import { translate } from '../../bench/rows/translate.js';
import { take } from '../../bench/timing.js';

const bench: Bench = { root: process.env['TURNOUT_ROOT'] ?? process.cwd(), runs: 7 };
const WIDE = 2;

function checkWidely({ what, value, shown, most, least, target }: Figure): void {
  const message = `${what}: ${shown}, and the target is ${target}`;
  assert.ok(value !== null, message);
  if (most !== undefined) assert.ok(value <= WIDE * most, message);
  if (least !== undefined) assert.ok(value >= least / WIDE, message);
}

const isRatio = ({ shown }: Figure): boolean => /[×%]$/.test(shown);

for (const row of [starts, scan, translate] satisfies Row[]) {
  test(`${row.id} is not far from its targets`, async () => {
    const figures = (await row.measure(bench)).filter(isRatio);
    assert.ok(figures.length > 0);
    for (const figure of figures) checkWidely(figure);
  });
}

test('a scan starts no program', async () => {
  for (const { note } of await scan.measure({ ...bench, runs: 1 })) assert.match(note ?? '', /programs started: 0$/);
});

/** Modules of Node that a process has loaded at its end. */
const PROBE = `process.on('exit', () => {
  const own = process.moduleLoadList.filter((one) => one.startsWith('NativeModule '));
  require('node:fs').writeFileSync(process.env.MODULES, JSON.stringify(own.map((one) => one.slice(13))));
});`;

test('a plain turn loads none of the modules of Node that are dear to load', async () => {
  const { env, folder } = place();
  const probe = join(folder, 'probe.cjs');
  const list = join(folder, 'modules.json');
  writeFileSync(probe, PROBE);
  const [node = '', ...rest] = turn(bench.root, 'demo');
  await take({ argv: [node, '--require', probe, ...rest], env: { ...env, MODULES: list } });
  const loaded: string[] = JSON.parse(readFileSync(list, 'utf8'));
  assert.ok(loaded.includes('child_process'));
  for (const dear of ['crypto', 'fs/promises', 'zlib', 'http', 'https', 'tls', 'worker_threads', 'readline']) {
    assert.not.ok(loaded.includes(dear), dear);
  }
});

test('what every turn reads stays small, and is ASCII: one other character doubles it in memory', () => {
  const main = join(bench.root, 'dist', 'main.cjs');
  assert.ok(statSync(main).size < 512 * 1024);
  assert.is(/[\u0080-\uffff]/.exec(readFileSync(main, 'utf8'))?.[0], undefined);
});

test.after(removePlaces);
test.run();
