/** Which runtimes are on this machine and what each can do. Opens no connection and writes no file. */

import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';

import { TurnoutError } from '../contract/error.js';
import type { BrokenRunner, Scan } from '../contract/scan.js';
import { findBwrap } from '../process/confine/bwrap.js';
import type { Program } from '../runner/machine.js';
import type { Runner } from '../runner/runner.js';
import { within } from '../text/within.js';
import type { Found } from './entry.js';
import { brokenEntry, scanEntry } from './entry.js';
import { locateIn } from './locate.js';
import { isMissing } from './located.js';
import type { Places } from './places.js';
import type { Probed } from './probe.js';
import { probeVersion } from './probe.js';
import { toProgramIn } from './program.js';
import { readVersionIn } from './version.js';
import type { View } from './view.js';
import { viewOf } from './view.js';

/** Searches wait for the disk; probes need a core each, and a loaded machine makes them miss their limit. */
const SEARCHES = 8;
const PROBES = Math.max(2, Math.min(8, availableParallelism()));
/** Milliseconds that all searches have together; a disk that does not answer must not hold the rest. */
const SEARCHES_MS = 20_000;
/** Milliseconds of one probe: its program's five seconds, its end, and what the disk takes. */
const PROBE_MS = 15_000;

export interface ScanOptions {
  places: Places;
  /** Run the programs whose files don't tell their version, to ask them. */
  probe?: boolean;
  /** Built-in runtimes too. */
  all?: boolean;
  /** Only what is installed. */
  installed?: boolean;
  /** Runners that were left out before. */
  broken?: readonly BrokenRunner[];
  /** For all searches together; 20 s when absent. */
  limitMs?: number;
  /** A search was given up: a thread of Node still waits for its disk, and would be waited for at our end. */
  stuck?(): void;
}

/** One entry per runner, in their order. A runner that fails is reported in its own entry; this never throws. */
export async function scan(runners: readonly Runner[], options: ScanOptions): Promise<Scan> {
  const view = viewOf(options.places);
  const searches = pLimit(SEARCHES);
  const probes = pLimit(PROBES);
  const walls = options.places.env['TURNOUT_CONFINE'] !== 'none' && findBwrap() !== null;
  const { limitMs = SEARCHES_MS } = options;
  const until = performance.now() + limitMs;
  const gaveUp = (): never => {
    options.stuck?.();
    throw new Late(limitMs);
  };
  const entries = await searches.map(runners, async (runner) => {
    try {
      if (runner.builtin === true && options.all !== true) return null;
      const left = until - performance.now();
      const { found, program } = left <= 0 ? gaveUp() : await within(search(view, runner), left, gaveUp);
      const version =
        program === null || options.probe !== true ? null : await probes(() => probe(runner, program, view.places));
      return scanEntry(runner, version === null ? found : withProbe(found, version), walls);
    } catch (error) {
      if (error instanceof Late) return brokenEntry(runner.id, error.message);
      return brokenEntry(
        runner.id,
        `its runner does not work: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  });
  const agents = entries.filter((entry) => entry !== null);
  return {
    v: 1,
    agents: options.installed === true ? agents.filter((entry) => entry.installed) : agents,
    ...(options.broken?.length ? { broken_runners: [...options.broken] } : {}),
  };
}

/** The searches took longer than they may. */
class Late extends Error {
  constructor(limitMs: number) {
    super(`the search was given up after ${limitMs / 1000} s: a folder on PATH or in your home does not answer`);
  }
}

function probe(runner: Runner, program: Program, places: Places): Promise<Probed> {
  const note = `gave no version within ${PROBE_MS / 1000} s`;
  return within(probeVersion(runner, program, places), PROBE_MS, () => ({ version: null, note }));
}

interface Agent {
  found: Found;
  /** What to run for its version; null when the files told it or there is nothing to run. */
  program: Program | null;
}

async function search(view: View, runner: Runner): Promise<Agent> {
  const located = await locateIn(view, runner);
  if (isMissing(located)) {
    return { found: { binary: null, version: null, source: null, notes: located.notes, blocked: null }, program: null };
  }
  const read = await readVersionIn(view, runner, located);
  const notes = [...located.notes, ...read.notes];
  const found: Found = { binary: located.found, version: read.version, source: read.source, notes, blocked: null };
  try {
    const program = await toProgramIn(view, runner, located);
    return { found, program: read.source === 'not-probed' ? program : null };
  } catch (error) {
    if (error instanceof TurnoutError) return { found: { ...found, blocked: error.message }, program: null };
    throw error;
  }
}

function withProbe(found: Found, probed: Probed): Found {
  const notes = probed.note === null ? found.notes : [...found.notes, `${found.binary} ${probed.note}`];
  return { ...found, version: probed.version, source: probed.version === null ? found.source : 'exec', notes };
}
