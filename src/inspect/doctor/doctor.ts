/** Looks at everything a turn needs on this machine. Opens no connection, writes nothing, starts nothing. */

import type { Check, CheckStatus, Doctor } from '../../contract/doctor.js';
import type { BrokenRunner } from '../../contract/scan.js';
import type { Places } from '../../discovery/places.js';
import { viewOf } from '../../discovery/view.js';
import type { Runner } from '../../runner/runner.js';
import { about } from './check.js';
import { machineChecks } from './host-checks.js';
import { runtimeChecks } from './runtime.js';

export interface DoctorOptions {
  places: Places;
  /** Our own version. */
  version: string;
  /** Only this component; all when absent. */
  component?: string;
  /** Whether the commands that would help are to be listed. */
  fix: boolean;
  /** Whether the commands that install what is missing are to be listed. */
  install?: boolean;
  /** Asked for, although it is always so. */
  readOnly?: boolean;
  offline?: boolean;
  /** Runners that were left out. */
  broken?: readonly BrokenRunner[];
  /** For tests: another Node, another user. */
  node?: string;
  uid?: number | null;
}

async function checksOf(runners: readonly Runner[], options: DoctorOptions): Promise<Check[]> {
  const { places, version, component } = options;
  const wanted = (id: string) => component === undefined || component === id;
  const results: Check[] = [];
  const facts = {
    places,
    version,
    node: options.node ?? process.versions.node,
    uid: options.uid === undefined ? (process.getuid?.() ?? null) : options.uid,
  };
  if (wanted('turnout')) results.push(...(await machineChecks(facts, runners)), ...brokenChecks(options.broken ?? []));
  const view = viewOf(places);
  for (const runner of runners) {
    if (runner.builtin === true || !wanted(runner.id)) continue;
    try {
      results.push(...(await runtimeChecks(view, runner)));
    } catch (error) {
      const told = error instanceof Error ? error.message : String(error);
      results.push(about(runner.id)('runner', 'fail', `its runner does not work: ${told}`));
    }
  }
  return results;
}

/** A file that is not in order has its own check; a project that nobody trusts is no fault of this machine. */
function brokenChecks(broken: readonly BrokenRunner[]): Check[] {
  return broken
    .filter(({ code }) => code !== 'config')
    .map(({ runner, from, code, reason }) =>
      about('turnout')(
        'runner',
        code === 'untrusted' ? 'info' : 'fail',
        `${runner}, named by ${from}, is left out: ${reason}`,
      ),
    );
}

/** What is merely not installed is nothing to be fixed, unless it was asked about. */
function fixesOf(results: readonly Check[], { fix: all, install = false, component: asked }: DoctorOptions) {
  return results.flatMap(({ component, name, status, fix: command }): Doctor['fixes'] => {
    const missing = name === 'program' && install;
    const wanted = missing || (all && (status !== 'info' || asked !== undefined));
    return command === null || !wanted ? [] : [{ component, outcome: 'not-run', command }];
  });
}

/** What contradicts itself in the protocol, although we would run and load nothing in any case. */
function contradiction({ fix, install = false, readOnly = false, offline = false }: DoctorOptions): string | null {
  if (readOnly && (fix || install)) return `--read-only contradicts ${fix ? '--fix' : '--install'}`;
  return offline && install ? '--offline contradicts --install' : null;
}

/** Never throws: a fault of our own stands in `error`. */
export async function doctor(runners: readonly Runner[], options: DoctorOptions): Promise<Doctor> {
  let results: Check[] = [];
  let error = contradiction(options);
  try {
    if (error === null) {
      results = await checksOf(runners, options);
      if (results.length === 0) error = `unknown component "${options.component}"`;
    }
  } catch (cause) {
    error = cause instanceof Error ? cause.message : String(cause);
  }
  const count = (status: CheckStatus) => results.filter((check) => check.status === status).length;
  const failed = count('fail');
  return {
    v: 1,
    cwd: options.places.cwd,
    read_only: true,
    offline: true,
    success: failed === 0 && error === null,
    error,
    summary: { passed: count('pass'), warnings: count('warn'), failed, info: count('info'), skipped: count('skip') },
    results,
    fixes: fixesOf(results, options),
  };
}
