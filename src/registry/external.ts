/** Runners that do not ship with turnout: a module whose default export is a Runner. Its code runs inside our process. */

import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { UsageError } from '../contract/error.js';
import type { Runner } from '../runner/runner.js';

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string' && value !== '';
const flag: Check = (value) => typeof value === 'boolean';
const texts: Check = (value) => Array.isArray(value) && value.every((one) => typeof one === 'string');
const record: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const call: Check = (value) => typeof value === 'function';
const word =
  (...words: string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);

/** What every runner must have, so that one written in JavaScript fails here and not in the middle of a turn. */
const FIELDS = {
  id: (value) => typeof value === 'string' && /^[a-z][a-z0-9-]*$/.test(value),
  title: text,
  bins: texts,
  packages: texts,
  install: (value) => typeof value === 'object' && value !== null && 'kind' in value,
  installHint: (value) => typeof value === 'string',
  loginHint: (value) => value === null || typeof value === 'string',
  testedVersions: texts,
  transport: text,
  streamsIncrementally: flag,
  toolActivity: word('full', 'start-only', 'none'),
  access: record,
  sandbox: record,
  toolsDoor: word('native', 'mcp', 'fence', 'none'),
  parallelCalls: flag,
  resume: flag,
  effort: flag,
  maxTurns: flag,
  reportsCost: flag,
  silentRetries: flag,
  promptInArgv: flag,
  decidesPerCommand: flag,
  steer: flag,
  settingsLoaded: texts,
  nesting: texts,
  keys: (value) => value === 'all' || texts(value),
  tools: call,
  invoke: call,
  converse: call,
} satisfies Partial<Record<keyof Runner, Check>>;

/**
 * Loads one runner.
 * @param file path of a .js or .mjs module; a relative one means the folder we were started in
 * @param load imports a module by URL: its name is known only when we run, so the caller answers for that
 * @throws {UsageError} it can't be loaded, or what it exports is no runner; the message names the file and the fields
 */
export async function loadRunner(file: string, load: (url: string) => Promise<unknown>): Promise<Runner> {
  const full = path.resolve(file);
  let module: unknown;
  try {
    module = await load(pathToFileURL(full).href);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`the runner ${full} can't be loaded: ${message}`, { cause });
  }
  const value: unknown =
    typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined;
  const bad = badFields(value);
  if (bad.length > 0) throw new UsageError(`${full} does not export a runner: missing or wrong are ${bad.join(', ')}`);
  if (!isRunner(value)) throw new UsageError(`${full} does not export a runner`);
  return value;
}

function isRunner(value: unknown): value is Runner {
  return badFields(value).length === 0;
}

function badFields(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return ['the default export'];
  return Object.entries(FIELDS).flatMap(([name, fits]) => (fits(Reflect.get(value, name)) ? [] : [name]));
}

/**
 * Puts loaded runners before the built-in ones. One with the id of a built-in runner takes its place.
 */
export function withExternal(external: readonly Runner[], builtin: readonly Runner[]): Runner[] {
  const taken = new Set(external.map((runner) => runner.id));
  return [...external, ...builtin.filter((runner) => !taken.has(runner.id))];
}
