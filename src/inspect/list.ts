/** `agent models` and `agent sessions`: what a runtime can list of itself. */

import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type {
  ListFailure,
  ModelEntry,
  ModelList,
  QuotaReport,
  QuotaWindow,
  SessionEntry,
  SessionList,
} from '../contract/listing.js';
import { locate } from '../discovery/locate.js';
import { isMissing, type Located } from '../discovery/located.js';
import { type Places, thisMachine } from '../discovery/places.js';
import { foreignKeys } from '../exec/other-vendors-keys.js';
import { ownArgv } from '../exec/own-argv.js';
import { privateDir } from '../process/temp-files.js';
import { runners as builtin, byId, nearest } from '../registry/registry.js';
import type { QuotaFound, SessionFound } from '../runner/listing.js';
import type { Runner } from '../runner/runner.js';
import { askProgram } from './ask-program.js';
import { sessionFiles } from './session-files.js';

/** Whose list is asked for, and where. */
export interface ListOptions {
  runtime: string;
  /** Working directory; ours when absent. */
  cwd?: string;
  env?: Readonly<Record<string, string | undefined>>;
  runners?: readonly Runner[];
}

/** The last moment that a date can name. */
const LAST_MS = 8.64e15;

interface Ready {
  runner: Runner;
  located: Located;
  places: Places;
  keys: readonly string[];
}

function unknown(runtime: string, runners: readonly Runner[]): ListFailure {
  const [near] = nearest(runtime, runners);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  const message = `There is no runtime called ${runtime}.${hint} \`turnout agent scan --all\` lists them.`;
  return { code: 'unknown-runtime', message, ...(near === undefined ? {} : { hint: near }) };
}

function failed(error: unknown): ListFailure {
  return { code: 'list-failed', message: error instanceof Error ? error.message : String(error) };
}

/** Finds the runtime, and its program where something is to be asked. */
async function prepare(
  options: ListOptions,
  asks: (runner: Runner) => boolean,
): Promise<{ id: string; supported: boolean; error?: ListFailure; ready?: Ready }> {
  const { runners = builtin } = options;
  const env: NodeJS.ProcessEnv = { ...(options.env ?? process.env) };
  const runner = byId(options.runtime, runners);
  if (!runner) return { id: options.runtime, supported: false, error: unknown(options.runtime, runners) };
  if (!asks(runner)) return { id: runner.id, supported: false };
  const places = { ...thisMachine({ turnout: ownArgv(), ...(options.cwd ? { cwd: options.cwd } : {}) }), env };
  const located = await locate(runner, places);
  const keys = foreignKeys(runner, runners);
  if (!isMissing(located)) return { id: runner.id, supported: true, ready: { runner, located, places, keys } };
  const message = `${runner.title} is not installed. Install it: ${runner.installHint}`;
  return { id: runner.id, supported: true, error: { code: 'missing-binary', message, hint: runner.installHint } };
}

/** Ids of the same model point to the first of them (capability agent-models-alias-of). */
function withAliases(models: readonly ModelEntry[]): ModelEntry[] {
  const same = (model: ModelEntry) =>
    model.resolved_id === undefined ? [] : models.filter((one) => one.resolved_id === model.resolved_id);
  return models.map((model) => {
    const group = same(model);
    const first = group[0];
    if (group.length < 2 || first === undefined) return model;
    if (first === model) return { ...model, aliases: group.map(({ id }) => id) };
    return { ...model, alias_of: first.id };
  });
}

/** The models of a runtime; never throws. A runtime that can't list them answers `supported: false`. */
export async function models(options: ListOptions): Promise<ModelList> {
  const { id, supported, error, ready } = await prepare(options, (runner) => runner.models !== undefined);
  const empty: ModelList = { v: 1, runtime: id, supported, models: [], ...(error ? { error } : {}) };
  const query = ready?.runner.models;
  if (!ready || !query) return empty;
  // Some programs look into the folder they are started in.
  const scratch = await privateDir();
  try {
    const { places, keys: foreign } = ready;
    const found = await askProgram(ready.runner, ready.located, query, {
      places,
      cwd: scratch.path,
      foreignKeys: foreign,
    });
    return { ...empty, models: withAliases(found) };
  } catch (cause) {
    return { ...empty, error: failed(cause) };
  } finally {
    await scratch.remove();
  }
}

/** Where links lead; as given when nothing is there. */
const real = (path: string): Promise<string> => realpath(path).catch(() => path);

/** The sessions of a runtime that belong to a working directory, the newest first; never throws. */
export async function sessions(options: ListOptions): Promise<SessionList> {
  const given = resolve(options.cwd ?? '.');
  // Turns run in the real folder, and programs keep sessions by it.
  const cwd = await real(given);
  const { id, supported, error, ready } = await prepare(options, (runner) => runner.sessions !== undefined);
  const empty: SessionList = { v: 1, runtime: id, supported, cwd, sessions: [], ...(error ? { error } : {}) };
  if (!ready) return empty;
  const { places, keys: foreign } = ready;
  try {
    const source = ready.runner.sessions?.(cwd);
    if (!source) return empty;
    const found =
      'files' in source
        ? await sessionFiles(source.files, { env: places.env, home: homedir() })
        : await askProgram(ready.runner, ready.located, source.ask, { places, cwd, foreignKeys: foreign });
    const here = await Promise.all(found.map(async (one) => one.cwd === null || (await real(one.cwd)) === cwd));
    return { ...empty, sessions: newestFirst(found.filter((_, index) => here[index])) };
  } catch (cause) {
    return { ...empty, error: failed(cause) };
  }
}

/** What is left of a runtime's plan, as its program tells it; never throws. */
export async function quota(options: ListOptions): Promise<QuotaReport> {
  const { id, supported, error, ready } = await prepare(options, (runner) => runner.quota !== undefined);
  const empty: QuotaReport = { v: 1, runtime: id, supported, plan: null, windows: [], ...(error ? { error } : {}) };
  const query = ready?.runner.quota;
  if (!ready || !query) return empty;
  const scratch = await privateDir();
  try {
    const { places, keys: foreignKeys } = ready;
    const [found] = await askProgram(ready.runner, ready.located, query, { places, cwd: scratch.path, foreignKeys });
    return found === undefined ? empty : { ...empty, plan: found.plan, windows: found.windows.map(window) };
  } catch (cause) {
    return { ...empty, error: failed(cause) };
  } finally {
    await scratch.remove();
  }
}

function window({ name, usedPercent, resetsAt }: QuotaFound): QuotaWindow {
  const at = typeof resetsAt === 'string' ? Date.parse(resetsAt) : (resetsAt ?? Number.NaN);
  return {
    name,
    used_percent: usedPercent,
    resets_at: Number.isFinite(at) && Math.abs(at) <= LAST_MS ? new Date(at).toISOString() : null,
  };
}

function newestFirst(found: readonly SessionFound[]): SessionEntry[] {
  return [...found]
    .sort((a, b) => (b.time ?? 0) - (a.time ?? 0))
    .map((one) => ({ ...one, time: one.time === null ? null : new Date(one.time).toISOString() }));
}
