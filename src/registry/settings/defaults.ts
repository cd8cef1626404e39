/** What the configuration files say about options of a turn, for people's commands. Flags win over them. */

import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { place, type Spelling } from '../../request/place.js';
import { readValue } from '../../request/read-value.js';
import { asJson, flagName, keyName } from '../../request/spelling.js';
import { type Given, OPTION_NAMES, type OptionName, type Row, TABLE } from '../../request/table.js';
import type { TurnValues } from '../../request/values.js';
import { type ConfigPlaces, configPaths, readConfigFile } from '../config.js';
import { isTrusted } from '../configured.js';
import { checkSettings } from './validate.js';

export interface Settings {
  /**
   * The text that the flag of an option would have.
   * @param runtime the one that was asked for in another way
   * @returns undefined where the files say nothing, or name a model that belongs to another runtime
   */
  text(name: string, runtime: string | undefined): string | undefined;
  /** Whether runs are kept for `turnout history`. */
  history: boolean;
  /** Whether chat prints lines only. */
  plain: boolean;
  /** What was left out, and why, for the person. */
  notes: readonly string[];
}

const NAMES: readonly OptionName[] = OPTION_NAMES.filter((name) => TABLE[name].setting);

/** A repository that was cloned may not widen what runs in it, nor name a program of its own. */
function needsTrust(name: OptionName, value: unknown): boolean {
  if (name === 'access' || name === 'policy') return true;
  return name === 'runtime' && typeof value === 'string' && /^(?:acp|replay):/.test(value);
}

/** @throws {UsageError} a file that can't be read, or that does not fit the schema */
export async function readSettings(places: ConfigPlaces): Promise<Settings> {
  const defaults: Given = {};
  const notes: string[] = [];
  let [history, plain] = [true, false];
  let policy: string | undefined;
  let user: Awaited<ReturnType<typeof readConfigFile>> = null;
  for (const { path: file, level } of configPaths(places)) {
    const values = await readConfigFile(file);
    if (values === null) continue;
    if (level === 'user') user = values;
    await checkSettings(file, values, level);
    const trusted = level === 'user' || (await isTrusted(places, user ?? {}));
    const spelling: Spelling = { ...asJson, path: (path) => `${file}: ${asJson.path(path)}` };
    for (const name of [...NAMES, 'policy'] as const) {
      const given = values[keyName(name)];
      if (given === undefined) continue;
      if (!trusted && needsTrust(name, given)) {
        notes.push(
          `${file}: ${keyName(name)} was left out, since "trusted_projects" of the user's file does not list this folder`,
        );
        continue;
      }
      // A file of its own, as its flag takes it.
      if (name === 'policy') {
        if (typeof given === 'string')
          policy = given.startsWith('~/') ? join(homedir(), given.slice(2)) : resolve(dirname(file), given);
        continue;
      }
      Object.assign(defaults, { [name]: readValue(name, given, place(spelling, [name]), 'json') });
    }
    if (typeof values['history'] === 'boolean') history = values['history'];
    if (typeof values['plain'] === 'boolean') plain = values['plain'];
  }
  return {
    history,
    plain,
    notes,
    text(name, runtime) {
      if (name === 'policy') return policy;
      const option = NAMES.find((one) => flagName(one) === name);
      if (option === undefined) return undefined;
      const foreign = option === 'model' && runtime !== undefined && runtime !== defaults.runtime;
      return foreign ? undefined : printed(option, defaults);
    },
  };
}

function printed<Name extends OptionName>(name: Name, defaults: Given): string | undefined {
  const row: Row<TurnValues[Name]> = TABLE[name];
  const value: TurnValues[Name] | undefined = defaults[name];
  return value === undefined ? undefined : (row.kind.print(value, place(asJson, [name])) ?? undefined);
}
