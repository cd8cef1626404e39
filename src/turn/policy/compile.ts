/** What walls can keep of a policy for a program that asks nobody: refusals by path. */

import { existsSync } from 'node:fs';
import type { Policy, PolicyRule } from '../../contract/policy.js';
import type { ToolKind } from '../../contract/vocabulary.js';
import { written } from './glob.js';

export interface Compiled {
  /** What can't be read or written. */
  hidden: readonly string[];
  /** What can't be written. */
  fixed: readonly string[];
  /** Numbers, from 1, of the refusals that only a question could keep; 0 is the default. */
  left: readonly number[];
}

const WRITES: ReadonlySet<ToolKind> = new Set(['edit', 'write', 'patch']);
const isWild = (path: string): boolean => /[*?]/.test(path);
const list = <Value>(value: Value | readonly Value[]): readonly Value[] =>
  Array.isArray(value) ? (value as readonly Value[]) : [value as Value];

/** The paths of a rule as things on the disk; null where it means more than those. */
function pathsOf(rule: PolicyRule, cwd: string): string[] | null {
  if (rule.path === undefined) return null;
  const conditions = [rule.command, rule.command_exactly, rule.host, rule.server, rule.tool];
  if (conditions.some((one) => one !== undefined)) return null;
  const paths = list(rule.path).map((path) => path.replace(/\/\*\*$/, ''));
  // A pattern also means what will be there later, and a mount needs something to stand on.
  if (paths.some((path) => path === '' || isWild(path))) return null;
  const full = paths.map((path) => written(path, cwd));
  return full.every((path) => existsSync(path)) ? full : null;
}

/**
 * @param runtime rules for others are left out
 * @param cwd where relative paths begin
 */
export function compilePolicy(policy: Policy, runtime: string, cwd: string): Compiled {
  const hidden: string[] = [];
  const fixed: string[] = [];
  const left: number[] = [];
  /** Whether an earlier leave may take something out of a refusal. */
  let loosened = false;
  for (const [index, rule] of policy.rules.entries()) {
    if (rule.runtime !== undefined && !list(rule.runtime).includes(runtime)) continue;
    if (rule.decision === 'allow') {
      loosened = true;
      continue;
    }
    const kinds = rule.kind === undefined ? null : list(rule.kind);
    const paths = loosened ? null : pathsOf(rule, cwd);
    const onlyWrites = kinds?.every((kind) => WRITES.has(kind)) ?? false;
    const all = kinds === null || kinds.includes('read');
    if (paths === null || !(onlyWrites || all)) left.push(index + 1);
    else (onlyWrites ? fixed : hidden).push(...paths);
  }
  if (policy.default === 'deny' || policy.default === 'ask') left.push(0);
  return { hidden, fixed, left };
}
