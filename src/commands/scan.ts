/** `turnout agent scan`: without oclif, since hosts ask before they show a list and wait for it. */

import { UsageError } from '../contract/error.js';
import { thisMachine } from '../discovery/places.js';
import { scan } from '../discovery/scan.js';
import { ownArgv } from '../exec/own-argv.js';
import { type ReadFlags, readArgv } from './argv.js';
import { wantsColours } from './colours.js';
import { fail } from './failure.js';
import { commandRunners } from './own-runners.js';
import { personaOf } from './persona-name.js';
import { print } from './print.js';
import { SCAN_FLAGS, type ScanFlag } from './scan-flags.js';

/** @param argv what stands after `agent scan` */
export async function runScan(argv: readonly string[]): Promise<void> {
  let flags: ReadFlags<ScanFlag>;
  try {
    flags = readArgv(argv, SCAN_FLAGS, 'turnout agent scan');
  } catch (error) {
    if (error instanceof UsageError) return fail(error, argv.includes('--json'));
    throw error;
  }
  const places = thisMachine({ turnout: ownArgv() });
  const claude = flags.one('claude-path');
  const env = claude === undefined ? places.env : { ...places.env, CLAUDE_CLI_BIN: claude };
  const { runners, broken } = await commandRunners(flags.all('runner'), { lenient: true });
  const found = await scan(runners, {
    broken,
    places: { ...places, env },
    probe: flags.has('probe'),
    all: flags.has('all'),
    installed: flags.has('installed'),
  });
  if (personaOf() !== null) {
    const { originalEntries } = await import('../exec/persona.js');
    found.agents = found.agents.flatMap((entry) =>
      originalEntries(
        entry,
        runners.find(({ id }) => id === entry.id),
      ),
    );
  }
  if (flags.has('json')) return print(`${JSON.stringify(found)}\n`);
  const { scanTable } = await import('../output/scan-table.js');
  return print(scanTable(found, wantsColours(process.stdout)));
}
