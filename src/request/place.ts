/** Where something stands in a request, in the caller's own spelling, and what is wrong there. */

import { UsageError, type UsageRule } from '../contract/error.js';

/** Steps from the option inwards: `['tools', 0, 'name']`. */
export type Path = readonly (string | number)[];

/** How one entrance writes the names of options. */
export interface Spelling {
  /** `--budget-usd`, `budgetUsd` or `budget_usd`, with what follows inside of its value. */
  path(path: Path): string;
  /** An option with its value: `--access full`, `access: 'full'`. */
  setting(name: string, value: string): string;
}

/** One place in a request. Faults are made here, so that every entrance gives the same rule in its own words. */
export interface Place {
  /** As the caller spells it. */
  readonly name: string;
  readonly spelling: Spelling;
  /** A place inside of this one. */
  in(...steps: Path): Place;
  /** @param what is wrong, as it reads behind the name and a colon; a value that may be secret is not quoted */
  fault(rule: UsageRule, what: string, options?: { hint?: string; cause?: unknown }): UsageError;
}

/** @param path begins with the option's name in the table */
export function place(spelling: Spelling, path: Path): Place {
  const name = spelling.path(path);
  return {
    name,
    spelling,
    in: (...steps) => place(spelling, [...path, ...steps]),
    fault: (rule, what, options) => new UsageError(`${name}: ${what}`, { ...options, path: name, rule }),
  };
}

/** `tools[0].name`. */
export function dotted(path: Path): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

/** A value as it is quoted in a message. */
export function quoted(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 82 ? `${text.slice(0, 81)}…` : text;
}
