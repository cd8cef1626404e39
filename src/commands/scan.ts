/** `turnout agent scan`: without oclif, since hosts ask before they show a list and wait for it. */

import { setFlagsFromString } from 'node:v8';
import { UsageError } from '../contract/error.js';
import type { Scan } from '../contract/scan.js';
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
  // Node waits for its compiler's threads when it ends, and they may wait for Node (nodejs/node#54918). So short a run
  // gains nothing by them.
  setFlagsFromString('--no-opt');
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
  let stuck = false;
  const { runners, broken } = await commandRunners(flags.all('runner'), { lenient: true });
  const found = await scan(runners, {
    broken,
    places: { ...places, env },
    probe: flags.has('probe'),
    all: flags.has('all'),
    installed: flags.has('installed'),
    stuck: () => {
      stuck = true;
    },
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
  await print(flags.has('json') ? `${JSON.stringify(found)}\n` : await table(found));
  leave(stuck);
}

async function table(found: Scan): Promise<string> {
  const { scanTable } = await import('../output/scan-table.js');
  return scanTable(found, wantsColours(process.stdout));
}

/**
 * Ends the process, whatever a runner of the user's left running.
 * @param stuck a thread waits for a disk: Node would wait for the thread, so only a signal ends us
 */
function leave(stuck: boolean): void {
  if (stuck) process.kill(process.pid, 'SIGKILL');
  process.exit();
}
