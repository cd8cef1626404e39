/** Runners that do not ship with turnout: a module whose default export is a Runner. Its code runs inside our process. */

import path from 'node:path';

import { UsageError } from '../contract/error.js';
import type { Runner } from '../runner/runner.js';
import { loadModule } from './load-module.js';
import { guarded } from './validate/guard.js';
import { badFields, isRunner } from './validate/shape.js';

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** What a module exports by default; compilers to CommonJS put it one level deeper. */
function defaultOf(module: unknown): unknown {
  const value: unknown = isRecord(module) && 'default' in module ? module.default : undefined;
  return isRecord(value) && '__esModule' in value && 'default' in value ? value.default : value;
}

/**
 * A checked copy, whose faults are told as its own.
 * @param from where it comes from, for people
 * @throws {UsageError} it is no runner; the message names the fields
 */
function adopt(value: unknown, from: string): Runner {
  const copy: unknown = isRecord(value) ? { ...value } : value;
  const bad = badFields(copy);
  if (bad.length > 0) throw new UsageError(`${from} does not export a runner: missing or wrong are ${bad.join(', ')}`);
  if (!isRunner(copy)) throw new UsageError(`${from} does not export a runner`);
  return guarded(copy, from);
}

/** What only the built-in runtime may have; a host may make a runner of it. */
const BUILTIN: readonly string[] = ['id', 'builtin', 'bins'];

/** Runners that a host in our process hands over. @throws {UsageError} one is no runner; the message names the fields */
export function adoptAll(runners: readonly Runner[]): Runner[] {
  return runners.map((runner, index) => {
    const from = `runners[${index}]`;
    const bad = badFields(runner).filter((name) => !(runner.builtin === true && BUILTIN.includes(name)));
    if (bad.length > 0) throw new UsageError(`${from} is no runner: missing or wrong are ${bad.join(', ')}`);
    return guarded(runner, from);
  });
}

/**
 * Loads one runner.
 * @param file path of a .js, .mjs or .cjs module; a relative one means the folder we were started in
 * @param limitMs for loading it; five seconds when absent
 * @throws {UsageError} it can't be loaded, or what it exports is no runner; the message names the file and the fields
 */
export async function loadRunner(file: string, limitMs?: number): Promise<Runner> {
  const full = path.resolve(file);
  let module: unknown;
  try {
    module = await loadModule(full, limitMs);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`the runner ${full} can't be loaded: ${message}`, { cause });
  }
  return adopt(defaultOf(module), full);
}

/**
 * Puts runners that were named for this very call before the built-in ones. One with the id of a built-in runner takes
 * its place.
 */
export function withExternal(external: readonly Runner[], builtin: readonly Runner[]): Runner[] {
  const taken = new Set(external.map((runner) => runner.id));
  return [...external, ...builtin.filter((runner) => !taken.has(runner.id))];
}
