/** Installs a tested version of an agent program into a folder of ours, where nothing updates it. */

import { chmod, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { TurnoutError, UsageError } from '../contract/error.js';
import { newestFirst } from '../discovery/compare-versions.js';
import { locate } from '../discovery/locate.js';
import { isMissing } from '../discovery/located.js';
import type { Places } from '../discovery/places.js';
import { privateBins, privatePrograms } from '../discovery/private-programs.js';
import { readVersion } from '../discovery/version.js';
import { makeFolder } from '../process/make-folder.js';
import { onPath } from '../process/system-program.js';
import { byId, nearest } from '../registry/registry.js';
import type { Runner } from '../runner/runner.js';

/** What `turnout agent install --json` prints. */
export interface Installed {
  v: 1;
  runtime: string;
  version: string;
  /** `present`: that version was there already. */
  status: 'installed' | 'present';
  folder: string;
  /** The program that turns will start. */
  binary: string;
}

/** npm packages of a gigabyte take their time. */
const LIMIT_MS = 15 * 60_000;
/** A version as npm takes it; nothing that npm could read as a path, a URL or a flag. */
const VERSION = /^\d+(?:\.\d+)*(?:[-+][0-9A-Za-z.-]+)?$/;

/** `claude`, `claude@tested` or `claude@2.1.332`. */
function readWanted(text: string, runners: readonly Runner[]): { runner: Runner; version: string } {
  const [, id = text, asked = 'tested'] = /^([^@]+)@(.*)$/s.exec(text) ?? [];
  const runner = byId(id, runners);
  if (!runner) {
    const near = nearest(id, runners);
    const guess = near.length > 0 ? `; did you mean ${near.join(', ')}?` : '';
    throw new UsageError(`there is no runtime called ${id}${guess}`, { hint: 'turnout agent scan --all' });
  }
  const [newest] = newestFirst([...runner.testedVersions]);
  if (asked === 'tested' && newest === undefined) throw new UsageError(`no version of ${runner.title} was tested`);
  const version = asked === 'tested' ? (newest ?? '') : asked;
  if (!VERSION.test(version))
    throw new UsageError(`"${asked}" is not a version; give one such as ${newest ?? '1.2.3'}, or tested`);
  return { runner, version };
}

/** @returns the npm packages, the program's own pinned. @throws {TurnoutError} unsupported: npm does not install it */
function packagesOf(runner: Runner, version: string): string[] {
  if (runner.install.kind === 'npm') {
    const [main, ...others] = runner.install.packages;
    if (main !== undefined) return [`${main}@${version}`, ...others];
  }
  throw new TurnoutError(
    'unsupported',
    `${runner.title} is not installed by npm, so turnout can't keep a version of it; install it yourself: ${runner.installHint}`,
    { hint: runner.installHint },
  );
}

async function present(runner: Runner, places: Places): Promise<{ version: string | null; binary: string } | null> {
  const env = { ...places.env };
  for (const name of [`${runner.id.toUpperCase().replaceAll('-', '_')}_CLI_BIN`, ...(runner.binVariables ?? [])])
    delete env[name];
  const located = await locate(runner, { ...places, env });
  if (isMissing(located) || !located.found.startsWith(privateBins(places, runner.id))) return null;
  const { version } = await readVersion(runner, located, places);
  return { version, binary: located.found };
}

/** Takes or gives the right to write, so that a program can't replace its own files. Links are left alone. */
async function protect(path: string, on: boolean): Promise<void> {
  const found = await readdir(path, { withFileTypes: true });
  if (!on) await chmod(path, 0o755);
  for (const entry of found) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) await protect(inner, on);
    else if (entry.isFile()) {
      const { mode } = await stat(inner);
      await chmod(inner, on ? mode & ~0o222 : mode | 0o200);
    }
  }
  if (on) await chmod(path, 0o555);
}

async function remove(folder: string): Promise<void> {
  const there = await stat(folder).catch(() => null);
  if (there === null) return;
  await protect(folder, false);
  await rm(folder, { recursive: true, force: true });
}

/**
 * Installs `RUNTIME[@VERSION]`, `@tested` when no version is named, and replaces what was installed before.
 * @param options.say hears what is being done
 * @throws {UsageError} an unknown runtime, or what is not a version
 * @throws {TurnoutError} unsupported: npm does not install it; missing-binary: there is no npm; runner-error: npm failed
 */
export async function install(
  wanted: string,
  options: { runners: readonly Runner[]; places: Places; say(text: string): void },
): Promise<Installed> {
  const { places } = options;
  const { runner, version } = readWanted(wanted, options.runners);
  const packages = packagesOf(runner, version);
  const folder = join(privatePrograms(places), runner.id);
  const before = await present(runner, places);
  const answer = { v: 1, runtime: runner.id, version, folder } as const;
  if (before?.version === version) return { ...answer, status: 'present', binary: before.binary };
  options.say(`Installing ${packages.join(' ')} into ${folder}`);
  makeFolder(privatePrograms(places), 0o700);
  const fresh = await mkdtemp(join(privatePrograms(places), '.new-'));
  try {
    // A manifest of its own, or npm would walk up to another one.
    await writeFile(join(fresh, 'package.json'), '{"private":true}\n');
    const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--', ...packages];
    const ended = await execa(onPath('npm', places.env), args, {
      cwd: fresh,
      env: places.env,
      extendEnv: false,
      stdin: 'ignore',
      timeout: LIMIT_MS,
      reject: false,
    });
    if (ended.failed) throw npmFailed(ended, packages);
    await writeFile(join(fresh, 'turnout-install.json'), `${JSON.stringify({ v: 1, runtime: runner.id, packages })}\n`);
    await remove(folder);
    await rename(fresh, folder);
  } finally {
    await remove(fresh);
  }
  const after = await present(runner, places);
  if (after === null || (after.version !== null && after.version !== version)) {
    const what = after === null ? `no ${runner.bins.join(' or ')}` : `version ${after.version}`;
    throw new TurnoutError('runner-error', `npm installed ${packages.join(' ')}, but there is ${what} in ${folder}`);
  }
  await protect(folder, true);
  return { ...answer, status: 'installed', binary: after.binary };
}

function npmFailed(
  ended: { exitCode?: number; timedOut: boolean; stderr: string; cause?: unknown },
  packages: readonly string[],
): TurnoutError {
  if (ended.timedOut) return new TurnoutError('timeout', `npm took longer than ${LIMIT_MS / 60_000} minutes`);
  if (ended.exitCode === undefined)
    return new TurnoutError('missing-binary', 'npm could not be started; install Node.js with npm and try again');
  const tail = ended.stderr.trim().split('\n').slice(-5).join('\n');
  return new TurnoutError('runner-error', `npm could not install ${packages.join(' ')}:\n${tail}`);
}
