/** What all runtimes share on this machine: Node, folders, PATH, proxy, root, whether we run inside another agent. */

import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { Check } from '../../contract/doctor.js';
import { compareVersions } from '../../discovery/compare-versions.js';
import type { Places } from '../../discovery/places.js';
import { searchPath } from '../../discovery/search-path.js';
import { turnoutDepth } from '../../process/child-env.js';
import { findBwrap } from '../../process/confine/bwrap.js';
import { stateDir } from '../../process/state-dir.js';
import { jobLauncher } from '../../process/windows/job-object.js';
import { configPaths, readConfig, readConfigFile } from '../../registry/config.js';
import { settingFaults } from '../../registry/settings/validate.js';
import type { Runner } from '../../runner/runner.js';
import { about } from './check.js';
import { initCheck } from './init-check.js';

const OLDEST_NODE = '20.19.0';
const PROXY = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'];
const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'];

export interface MachineFacts {
  places: Places;
  node: string;
  /** Our own version. */
  version: string;
  uid: number | null;
}

const say = about('turnout');
const inWords = (names: readonly string[]): string => names.join(', ');

/** @returns whether a file or folder may be used so; nothing is opened or made */
async function may(path: string, mode: number): Promise<boolean> {
  try {
    await access(path, mode);
    return true;
  } catch {
    return false;
  }
}

function versions({ node, version }: MachineFacts): Check[] {
  const old = (compareVersions(node, OLDEST_NODE) ?? 0) < 0;
  const told = `Node ${node}${old ? ` is older than ${OLDEST_NODE}` : ''}`;
  return [say('own version', 'info', `turnout ${version}`), say('node', old ? 'fail' : 'pass', told)];
}

/** Whether it holds is tried before each turn; here nothing is started. */
function confinement({ places }: MachineFacts, runners: readonly Runner[]): Check {
  const rows = runners.filter((runner) => runner.confine !== undefined && runner.builtin !== true).map(({ id }) => id);
  if (places.platform !== 'linux') {
    return say(
      'confinement',
      'info',
      `access modes are kept by the programs: there is no confinement on ${places.platform}`,
    );
  }
  const bwrap = findBwrap();
  if (bwrap === null) {
    const told = 'bubblewrap (bwrap) is not installed: access modes are kept by the programs alone';
    return say('confinement', 'info', told, { fix: 'apt install bubblewrap' });
  }
  const off = places.env['TURNOUT_CONFINE'] === 'none' ? '; TURNOUT_CONFINE=none switches it off' : '';
  return say('confinement', 'pass', `${bwrap.path} confines ${inWords(rows)}${off}`);
}

async function folders({ places }: MachineFacts): Promise<Check[]> {
  const use = constants.W_OK | constants.X_OK;
  const temp = places.env['TMPDIR'] ?? tmpdir();
  const writable = await may(temp, use);
  const told = writable
    ? `temporary files go to ${temp}`
    : `${temp} can't be written: turns with temporary files will fail`;
  const checks = [say('temporary folder', writable ? 'pass' : 'fail', told)];
  let state = stateDir(places.env);
  while (dirname(state) !== state && !(await may(state, constants.F_OK))) state = dirname(state);
  const kept = await may(state, use);
  const note = `${state} can't be written: turns at --access full go without their audit line, demo sessions are not kept`;
  checks.push(say('state folder', kept ? 'pass' : 'warn', kept ? `state is kept below ${state}` : note));
  return checks;
}

async function config({ places }: MachineFacts): Promise<Check> {
  try {
    const { files } = await readConfig(places);
    for (const { path: file, level } of configPaths(places)) {
      const faults = await settingFaults((await readConfigFile(file)) ?? {}, level);
      if (faults.length > 0) return say('config', 'fail', `${file}: ${faults.join('; ')}`);
    }
    return say('config', 'pass', files.length === 0 ? 'there is no config file' : `read ${inWords(files)}`);
  } catch (error) {
    return say('config', 'fail', error instanceof Error ? error.message : String(error));
  }
}

function path({ places }: MachineFacts): Check {
  const { folders: known, ignored } = searchPath(places);
  if (known.length === 0)
    return say(
      'path',
      'warn',
      'PATH is not set, as in a program started from a desktop: only well-known folders are searched',
    );
  if (ignored.length === 0) return say('path', 'pass', `PATH has ${known.length} folders`);
  const entries = ignored.map((entry) => JSON.stringify(entry)).join(', ');
  return say(
    'path',
    'warn',
    `PATH has ${known.length} folders; not searched, because they are not absolute: ${entries}`,
  );
}

const isSet = (env: NodeJS.ProcessEnv, name: string): boolean => Boolean(env[name] ?? env[name.toLowerCase()]);

async function network({ places: { env } }: MachineFacts): Promise<Check[]> {
  const proxies = PROXY.filter((name) => isSet(env, name));
  const told = proxies.length === 0 ? 'no proxy is set' : `passed on to runtimes: ${inWords(proxies)}`;
  const checks = [say('proxy', 'info', told)];
  for (const name of CERTIFICATES) {
    const file = env[name];
    if (!file) continue;
    const readable = await may(file, constants.R_OK);
    checks.push(say('certificates', readable ? 'pass' : 'warn', `${name}: ${file}${readable ? '' : ' can’t be read'}`));
  }
  return checks;
}

/** @param pattern may end in `*` */
function matches(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function surroundings({ places: { env }, uid }: MachineFacts, runners: readonly Runner[]): Check[] {
  const root = uid === 0;
  const told = root ? 'we run as root: --access full needs --allow-root' : 'we do not run as root';
  const checks = [say('root', root ? 'warn' : 'pass', told)];
  const depth = turnoutDepth(env);
  const inside = runners.filter((runner) =>
    Object.keys(env).some((name) => Boolean(env[name]) && runner.nesting.some((pattern) => matches(name, pattern))),
  );
  const around = [...(depth > 0 ? [`${depth} turn(s) of turnout`] : []), ...inside.map(({ title }) => title)];
  const nested = `we run inside ${inWords(around)}; its variables are kept from what we start`;
  checks.push(
    say('nesting', around.length > 0 ? 'info' : 'pass', around.length > 0 ? nested : 'no agent is around us'),
  );
  return checks;
}

/** What ends a runtime after our sudden death. */
async function reaper({ places: { platform } }: MachineFacts): Promise<Check> {
  if (platform === 'win32')
    return jobLauncher() === null
      ? say('reaper', 'warn', 'turnout-job.exe is missing: what a runtime starts may outlive it and us')
      : say('reaper', 'pass', 'a runtime and all that it starts end with us, however we end');
  const there = await may('/bin/sh', constants.X_OK);
  if (!there) return say('reaper', 'warn', '/bin/sh is missing: a runtime would outlive our sudden death');
  const proc =
    platform !== 'linux' ||
    (await readFile('/proc/self/environ').then(
      () => true,
      () => false,
    ));
  return proc
    ? say('reaper', 'pass', 'a runtime ends with us, however we end')
    : say('reaper', 'warn', '/proc can’t be read: what leaves its process group may outlive a turn');
}

async function workingFolder({ places }: MachineFacts): Promise<Check> {
  const folder = await stat(places.cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return say('working folder', folder ? 'pass' : 'fail', folder ? places.cwd : `${places.cwd} does not exist any more`);
}

export async function machineChecks(facts: MachineFacts, runners: readonly Runner[]): Promise<Check[]> {
  return [
    ...versions(facts),
    confinement(facts, runners),
    await workingFolder(facts),
    ...(await folders(facts)),
    await config(facts),
    path(facts),
    ...(await network(facts)),
    ...surroundings(facts, runners),
    await reaper(facts),
    ...(facts.places.platform === 'linux' ? [await initCheck()] : []),
  ];
}
