/** One runtime: where its program is, how old, and whether somebody has logged in, as far as files and names of variables tell. */

import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import type { Check } from '../../contract/doctor.js';
import { compareVersions, newerThanTested } from '../../discovery/compare-versions.js';
import { knownBad, testedVersions } from '../../discovery/compat.js';
import { credentials, strayKey } from '../../discovery/credential.js';
import { diskFiles } from '../../discovery/files.js';
import { expand } from '../../discovery/known-folders.js';
import { locateIn } from '../../discovery/locate.js';
import { isMissing, type Located } from '../../discovery/located.js';
import { overrideNames } from '../../discovery/override.js';
import type { Places } from '../../discovery/places.js';
import { readVersionIn } from '../../discovery/version.js';
import type { View } from '../../discovery/view.js';
import type { Runner } from '../../runner/runner.js';
import { about, type Say } from './check.js';

/** A larger file is read by its owner, not by us. */
const LARGEST = 16 * 1024 * 1024;

const HOW: Readonly<Record<Located['source'], string>> = {
  variable: 'named by a variable',
  path: 'on PATH',
  place: 'in a well-known folder that PATH lacks',
  builtin: 'built in',
};

function version(say: Say, runner: Runner, found: string | null, source: string | null): Check {
  if (found === null) return say('version', 'info', 'its files do not tell; `turnout agent scan --probe` asks it');
  const from = source === null ? '' : ` (from ${source})`;
  const versions = testedVersions(runner.id, runner.testedVersions);
  const tested = versions.join(', ');
  const bad = knownBad(runner.id, found);
  if (bad !== null) {
    const fix = runner.install.kind === 'npm' ? `turnout agent install ${runner.id}` : runner.installHint;
    return say('version', 'warn', `${found}${from} is known not to work: ${bad}`, { fix });
  }
  if (versions.length === 0) return say('version', 'info', `${found}${from}`);
  if (newerThanTested(found, versions) === true)
    return say('version', 'warn', `${found}${from} is newer than any version tested (${tested})`);
  const older = versions.every((one) => (compareVersions(found, one) ?? 0) < 0);
  if (older)
    return say('version', 'warn', `${found}${from} is older than any version tested (${tested})`, {
      fix: runner.installHint,
    });
  return say('version', 'pass', `${found}${from}`);
}

async function existing(templates: readonly string[], places: Places): Promise<string[]> {
  const paths = (await Promise.all(templates.map((one) => expand(one, places, diskFiles(places.platform))))).flat();
  const there = await Promise.all(
    paths.map((one) =>
      stat(one).then(
        (found) => found.isFile(),
        () => false,
      ),
    ),
  );
  return paths.filter((_, index) => there[index]);
}

/** Presence only: whether a key or a login still works, only its vendor could tell. */
async function login(say: Say, runner: Runner, places: Places): Promise<Check | null> {
  if (runner.loginHint === null) return null;
  const owned = runner.keys === 'all' ? [] : runner.keys.filter((name) => /KEY|TOKEN/.test(name));
  const keys = owned.filter((name) => Boolean(places.env[name]));
  const traces = await existing(runner.loginTraces ?? [], places);
  const stray = strayKey(await credentials(runner, places));
  if (stray !== null) {
    const message = `${stray.key} is set and is used instead of the login in ${stray.login}; its use is billed apart`;
    return say('login', 'warn', message, { fix: `turnout agent exec --runtime ${runner.id} --env ${stray.key}= …` });
  }
  const found = [...keys.map((name) => `the variable ${name}`), ...traces];
  if (found.length > 0)
    return say('login', 'pass', `there is ${found.join(', ')}; whether it is still good is not asked`);
  if (runner.loginTraces === undefined && runner.keys === 'all') {
    return say('login', 'skip', `log in with: ${runner.loginHint}`, {
      skipped: 'it is not known where its login is kept',
    });
  }
  const where = runner.loginTraces === undefined ? 'no key is set' : 'no key is set and no trace of a login is there';
  return say('login', 'warn', where, { fix: runner.loginHint });
}

/** What is wrong with a configuration file, or null. Comments are allowed where the program allows them. */
async function damage(file: string): Promise<string | null> {
  try {
    await access(file, constants.R_OK);
    if ((await stat(file)).size > LARGEST) return null;
    const text = await readFile(file, 'utf8');
    if (text.includes('\0')) return 'holds NUL characters';
    if (!file.endsWith('.json') || /\/[/*]/.test(text)) return null;
    if (text.trim() === '') return 'is empty';
    JSON.parse(text.replace(/^\ufeff/, ''));
    return null;
  } catch (error) {
    return error instanceof SyntaxError ? 'is no valid JSON' : 'can’t be read';
  }
}

async function configuration(say: Say, runner: Runner, places: Places): Promise<Check[]> {
  const files = await existing(runner.configFiles ?? [], places);
  return Promise.all(
    files.map(async (file) => {
      const wrong = await damage(file);
      return say(
        'config',
        wrong === null ? 'pass' : 'warn',
        wrong === null ? `${file} can be read` : `${file} ${wrong}`,
      );
    }),
  );
}

/** @returns nothing for a runtime that is not installed and that nobody named by a variable */
export async function runtimeChecks(view: View, runner: Runner): Promise<Check[]> {
  const say = about(runner.id);
  const { places } = view;
  const located = await locateIn(view, runner);
  const named = overrideNames(runner).find((name) => Boolean(places.env[name]));
  if (isMissing(located)) {
    const notes = located.notes.length > 0 ? `: ${located.notes.join('; ')}` : '';
    if (named !== undefined) return [say('program', 'fail', `can't be started${notes}`, { fix: `unset ${named}` })];
    const status = located.notes.length > 0 ? 'warn' : 'info';
    return [say('program', status, `not installed${notes}`, { fix: runner.installHint })];
  }
  const link = located.real === located.found ? '' : ` → ${located.real}`;
  const read = await readVersionIn(view, runner, located);
  const from = read.package === null ? '' : `, from the package ${read.package}`;
  const notes = [...located.notes, ...read.notes];
  return [
    say('program', 'pass', `${located.found}${link}, ${HOW[located.source]}${from}`),
    ...(notes.length > 0 ? [say('notes', 'warn', notes.join('; '))] : []),
    ...(runner.unsupported === undefined ? [] : [say('support', 'warn', runner.unsupported)]),
    version(say, runner, read.version, read.source),
    ...[await login(say, runner, places)].filter((check) => check !== null),
    ...(await configuration(say, runner, places)),
  ];
}
