/** `--runner` and configured runners, as commands use them: what was left out is told on stderr. */

import { thisMachine } from '../discovery/places.js';
import { type KnownRunners, knownRunners } from '../exec/known-runners.js';
import { brokenRunnerLines } from '../output/broken-runners.js';
import { redact, secretValues } from '../text/redact.js';
import { quietConsole } from './quiet-console.js';

/** Tells what was left out. Its own words may quote a key. */
export function tellBroken({ broken }: Pick<KnownRunners, 'broken'>): void {
  if (broken.length === 0) return;
  process.stderr.on('error', () => {});
  process.stderr.write(redact(brokenRunnerLines(broken), secretValues(process.env)));
}

/**
 * @param files the values of `--runner`
 * @throws {UsageError} one of them does not work, unless `lenient`
 */
export async function commandRunners(
  files: readonly string[] | undefined,
  options: { runtime?: string; cwd?: string; lenient?: boolean } = {},
): Promise<KnownRunners> {
  const { cwd, ...wanted } = options;
  quietConsole();
  const known = await knownRunners({
    ...wanted,
    files: files ?? [],
    places: thisMachine(cwd === undefined ? {} : { cwd }),
  });
  tellBroken(known);
  return known;
}
