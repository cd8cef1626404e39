/** What was read → the command line of `turnout agent exec` that means the same. Long and secret things go into private files. */

import { resolve } from 'node:path';
import { place } from './place.js';
import { asOptions, flagName } from './spelling.js';
import { type Given, OPTION_NAMES, type OptionName, type Row, TABLE, takes } from './table.js';
import type { TurnValues } from './values.js';

/** Writes a file that only we can read. @returns its path */
export type WriteFile = (name: string, text: string) => Promise<string>;

/** A file of variables has one on a line. */
const fitsLine = (value: string): boolean => !/[\r\n]/.test(value);

async function envArgv(env: Readonly<Record<string, string>>, write: WriteFile): Promise<string[]> {
  const variables = Object.entries(env);
  const lines = variables.filter(([, value]) => fitsLine(value)).map(([name, value]) => `${name}=${value}\n`);
  const file = lines.length === 0 ? [] : [`--${flagName('envFile')}`, await write('env', lines.join(''))];
  const others = variables.filter(([, value]) => !fitsLine(value));
  return [...file, ...others.flatMap(([name, value]) => [`--${flagName('env')}`, `${name}=${value}`])];
}

async function one<Name extends OptionName>(name: Name, value: TurnValues[Name], write: WriteFile): Promise<string[]> {
  const row: Row<TurnValues[Name]> = TABLE[name];
  const flag = `--${flagName(name)}`;
  if (row.file) return [flag, await write(flagName(name), row.file.write(value))];
  const text = row.kind.print(value, place(asOptions, [name]));
  if (text === null) return [];
  // Joined, so that no value is ever taken for a flag.
  return [row.value === undefined ? flag : `${flag}=${text}`];
}

/**
 * @param given as {@link readOptions} returns it, tools and approvals included; `cwd` is made absolute
 * @throws UsageError for what no flag can carry
 */
export async function toArgv(given: Given, write: WriteFile): Promise<string[]> {
  const argv: string[] = [`--${flagName('cwd')}=${resolve(given.cwd ?? '.')}`];
  for (const name of OPTION_NAMES) {
    const value = given[name];
    if (value === undefined || !takes(name, 'flag')) continue;
    switch (name) {
      case 'cwd':
        break;
      case 'env':
        argv.push(...(await envArgv(given.env ?? {}, write)));
        break;
      case 'images':
      case 'files':
        for (const path of given[name] ?? []) argv.push(`--${flagName(name)}=${resolve(path)}`);
        break;
      case 'record':
        argv.push(`--${flagName(name)}=${resolve(given.record ?? '')}`);
        break;
      case 'prompt':
        // It is the first frame: neither the command line nor a file has it.
        argv.push(`--${flagName('promptFrame')}`);
        break;
      default:
        argv.push(...(await one(name, value, write)));
    }
  }
  return argv;
}
