/** The options of a host → one turn. Starts nothing; every fault is a UsageError that names the option. */

import { UsageError } from '../contract/error.js';
import type { ToolDefinition } from '../contract/tool.js';
import { nearestWords } from '../text/nearest.js';
import type { PlainOptions } from './options.js';
import { place } from './place.js';
import { planTurn, runtimeMissing, type TurnPlan } from './plan.js';
import { readValue } from './read-value.js';
import { checkTogether, workFolder } from './rules.js';
import { asOptions } from './spelling.js';
import { type Given, OPTION_NAMES, takes } from './table.js';

/** Options that are no values: a host's functions and its signal. */
export interface HostParts {
  onPermission?: unknown;
  onQuestion?: unknown;
  signal?: unknown;
  /** Checked where they are declared. */
  tools?: unknown;
}

/** Looks at every option by itself, then together. @param base where a relative `cwd` begins @throws UsageError */
export function readOptions(options: PlainOptions & HostParts, base = '.'): Given {
  if (typeof options !== 'object' || options === null) {
    throw new UsageError('expected an object of options', { rule: 'type' });
  }
  const given: Given = {};
  const known = OPTION_NAMES.filter((name) => takes(name, 'option'));
  const all: Readonly<Record<string, unknown>> = { ...options };
  for (const name of known) {
    const value = readValue(name, all[name], place(asOptions, [name]), 'option');
    if (value !== undefined) Object.assign(given, { [name]: value });
  }
  checkParts(
    options,
    Object.keys(all).filter((name) => !known.some((one) => one === name)),
    known,
  );
  if (given.runtime === undefined) throw runtimeMissing(place(asOptions, ['runtime']));
  if (given.prompt === undefined)
    throw place(asOptions, ['prompt']).fault('missing', 'expected a text that is not empty');
  checkTogether(given, asOptions);
  workFolder(given, base, asOptions);
  return given;
}

const HANDLERS = ['onPermission', 'onQuestion'] as const;
const PARTS = ['tools', ...HANDLERS, 'signal'];

function checkParts({ signal, ...parts }: HostParts, others: readonly string[], known: readonly string[]): void {
  const unknown = others.find((name) => !PARTS.includes(name));
  if (unknown !== undefined) {
    const [guess] = nearestWords(unknown, [...known, ...PARTS], 1);
    const hint = guess === undefined ? '' : `; did you mean ${guess}?`;
    throw place(asOptions, [unknown]).fault('unknown', `there is no such option${hint}`);
  }
  for (const name of HANDLERS) {
    if (parts[name] !== undefined && typeof parts[name] !== 'function')
      throw place(asOptions, [name]).fault('type', 'expected a function');
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw place(asOptions, ['signal']).fault('type', 'expected an AbortSignal');
  }
}

/**
 * One turn in this process.
 * @param tools the host's, declared
 * @param ambient our environment
 * @throws UsageError
 */
export function planOptions(
  options: PlainOptions & HostParts,
  tools: readonly ToolDefinition[],
  ambient: NodeJS.ProcessEnv,
): TurnPlan {
  const given = readOptions(options);
  return planTurn(
    {
      ...given,
      tools,
      callerTools: tools.length > 0 ? 'stdio' : 'none',
      approvals: options.onPermission ? 'stdio' : 'deny',
      questions: options.onQuestion ? 'stdio' : 'decline',
    },
    { spelling: asOptions, cwd: '.', ambient },
  );
}
