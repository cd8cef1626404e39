/** Flags → one turn. Reads files, starts nothing; every fault is a UsageError. */

import { resolve } from 'node:path';
import type { UsageError } from '../contract/error.js';
import type { ImageFile } from '../runner/request.js';
import { checkAnswerSchema } from './answer-schema.js';
import { envLines } from './env.js';
import type { GivenFlags } from './flag.js';
import { readInputFile, readInputStream } from './input-file.js';
import { type Place, place } from './place.js';
import { planTurn, runtimeMissing, type TurnPlan } from './plan.js';
import { readPromptFrame } from './prompt-frame.js';
import { checkTogether, workFolder } from './rules.js';
import { asFlags, flagName } from './spelling.js';
import { type Given, OPTION_NAMES, OPTIONS, type OptionName, type Row, TABLE, takes } from './table.js';
import type { OutputFormat, TurnValues } from './values.js';

/** What reading a request needs of the process. */
export interface Surroundings {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  stdin(): AsyncIterable<Uint8Array>;
  /** The first line on stdin; what follows stays there. */
  firstLine(limits: { bytes: number; ms: number }): Promise<FirstLine>;
}

/** A turn, and what only a command line says of it. */
export interface ExecPlan extends TurnPlan {
  verboseNative: boolean;
  /** The turn is kept for `turnout history`. */
  keep: boolean;
  claudePath: string | null;
  /** Absolute paths of modules that export runners of the user's own. */
  runners: string[];
  /** Absolute path of the recording this turn is appended to. */
  record: string | null;
  /** For `replay:FILE`. */
  speed: 'original' | 'max';
  format: OutputFormat;
  /** Stdin was the prompt, so no frames come on it. */
  stdinTaken: boolean;
}

/** A line, or why there is none. */
export type FirstLine = { line: string } | { why: 'late' | 'ended' | 'long' };

export interface ReadPrompt {
  text: string;
  /** It came from stdin, and nothing else will. */
  fromStdin: boolean;
  /** Pictures that came with it. */
  images?: readonly ImageFile[];
}

const at = (name: OptionName): Place => place(asFlags, [name]);

/** @returns the value of one flag; undefined when it was not given or stands in a file */
function readFlag<Name extends OptionName>(name: Name, flags: GivenFlags): TurnValues[Name] | undefined {
  const row: Row<TurnValues[Name]> = TABLE[name];
  const flag = flagName(name);
  if (!flags.has(flag) || row.file) return undefined;
  const { kind } = row;
  const here = at(name);
  if (row.many && kind.texts) return kind.texts(flags.all(flag), here);
  return kind.text(flags.one(flag) ?? '', here);
}

/** Every flag by itself, files not read yet. */
function readValues(flags: GivenFlags): Given {
  const given: Given = {};
  for (const name of OPTION_NAMES) {
    if (!takes(name, 'flag')) continue;
    const value = readFlag(name, flags);
    if (value !== undefined) Object.assign(given, { [name]: value });
  }
  return given;
}

async function readFile<Name extends OptionName>(
  name: Name,
  path: string,
  around: Surroundings,
): Promise<TurnValues[Name] | undefined> {
  const row: Row<TurnValues[Name]> = TABLE[name];
  const here = at(name);
  const text = await readInputFile(path, around.cwd, here, row.limit ?? 0);
  return row.file?.read(text, here);
}

async function readFiles(flags: GivenFlags, around: Surroundings): Promise<Given> {
  const given: Given = {};
  for (const name of OPTION_NAMES) {
    const path = flags.one(flagName(name));
    if (path === undefined || !takes(name, 'flag') || !TABLE[name].file) continue;
    Object.assign(given, { [name]: await readFile(name, path, around) });
  }
  return given;
}

/** What makes sense on a command line alone. */
function checkFlags(given: Given, flags: GivenFlags): void {
  const both = (one: OptionName, other: OptionName): UsageError =>
    at(one).fault('twice', `give this or ${at(other).name}, not both`);
  if (given.prompt !== undefined && given.promptFile !== undefined) throw both('prompt', 'promptFile');
  if (given.promptFrame && given.prompt !== undefined) throw both('prompt', 'promptFrame');
  if (given.promptFrame && given.promptFile !== undefined) throw both('promptFile', 'promptFrame');
  const toolsFile = flags.has(flagName('tools'));
  if (toolsFile && given.toolNames) throw both('toolNames', 'tools');
  const declared = toolsFile ? 'tools' : given.toolNames ? 'toolNames' : null;
  if (declared && given.callerTools !== 'stdio') {
    throw at(declared).fault('conflict', `needs ${asFlags.setting('callerTools', 'stdio')}`);
  }
}

async function readPrompt(
  { prompt, promptFile: path, promptFrame, ...given }: Given,
  around: Surroundings,
): Promise<ReadPrompt> {
  if (prompt !== undefined) return { text: prompt, fromStdin: false };
  if (promptFrame) return readPromptFrame(around, at('promptFrame'));
  const here = at('promptFile');
  if (path === undefined) throw at('prompt').fault('missing', `give this or ${here.name}`);
  if (path !== '-') {
    return { text: await readInputFile(path, around.cwd, here, OPTIONS.prompt.limit), fromStdin: false };
  }
  const asker = (['callerTools', 'approvals', 'questions'] as const).find((name) => given[name] === 'stdio');
  if (asker) {
    const other = asFlags.setting(asker, 'stdio');
    throw here.fault('conflict', `- and ${other} both need stdin: put the prompt into a file`);
  }
  return { text: await readInputStream(around.stdin(), here, OPTIONS.prompt.limit), fromStdin: true };
}

/**
 * @param flags as they stand on the command line
 * @param prompt asked last, since stdin may take its time and every other fault is known by then
 * @throws UsageError
 */
export async function planOf(
  flags: GivenFlags,
  around: Surroundings,
  prompt: (given: Given, around: Surroundings) => Promise<ReadPrompt> = readPrompt,
): Promise<ExecPlan> {
  const values = readValues(flags);
  if (values.runtime === undefined) throw runtimeMissing(at('runtime'));
  checkTogether(values, asFlags);
  checkFlags(values, flags);
  workFolder(values, around.cwd, asFlags);
  const given: Given = { ...values, ...(await readFiles(flags, around)) };
  if (values.envFile !== undefined) {
    const here = at('envFile');
    const lines = envLines(await readInputFile(values.envFile, around.cwd, here, OPTIONS.envFile.limit), here);
    given.env = { ...lines, ...values.env };
  }
  if (given.outputSchema) await checkAnswerSchema(given.outputSchema, at('outputSchema'));
  const { text, fromStdin, images } = await prompt(given, around);
  const plan = planTurn(
    { ...given, prompt: text },
    {
      ...{ spelling: asFlags, cwd: around.cwd, ambient: around.env },
      ...(images ? { images } : {}),
    },
  );
  return {
    ...plan,
    verboseNative: given.verboseNative ?? false,
    keep: given.keep ?? false,
    claudePath: given.claudePath ?? null,
    record: given.record === undefined ? null : resolve(around.cwd, given.record),
    runners: (given.runners ?? []).map((file) => resolve(around.cwd, file)),
    speed: given.speed ?? OPTIONS.speed.default,
    format: given.format ?? OPTIONS.format.default,
    stdinTaken: fromStdin,
  };
}
