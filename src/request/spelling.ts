/** How each entrance writes the names of options. */

import { dotted, type Path, type Spelling } from './place.js';
import { OPTION_NAMES, type OptionName, TABLE } from './table.js';

const isOption = (name: string): name is OptionName => Object.hasOwn(TABLE, name);
/** Units stand in names of the library alone: flags and JSON carry theirs with the value. */
const withoutUnit = (name: string): string => name.replace(/Ms$/, '');
const joined = (name: string, by: string): string =>
  withoutUnit(name).replace(/[A-Z]/g, (letter) => `${by}${letter.toLowerCase()}`);

/** @returns the flag of an option, without dashes */
export const flagName = (name: OptionName): string => TABLE[name].flag ?? joined(name, '-');
/** @returns its key in JSON */
export const keyName = (name: OptionName): string => joined(name, '_');

/** @param words begin with a flag @returns the option it is of, in the library's spelling */
export function optionOf(words: string): OptionName | null {
  const flag = /^--([a-z-]+)/.exec(words)?.[1];
  return OPTION_NAMES.find((name) => flagName(name) === flag) ?? null;
}

/** `--budget-usd`, `--env (number 2)`, `--tools-file: tools[0].name` */
export const asFlags: Spelling = {
  path([name = '', ...inner]: Path) {
    const first = String(name);
    const flag = `--${isOption(first) ? flagName(first) : first}`;
    const [step] = inner;
    if (step === undefined) return flag;
    const many = isOption(first) && TABLE[first].file === undefined;
    if (many && typeof step === 'number' && inner.length === 1) return `${flag} (number ${step + 1})`;
    return `${flag}: ${dotted([first, ...inner])}`;
  },
  setting: (name, value) => `${asFlags.path([name])} ${value}`,
};

/** `budgetUsd`, `tools.add.schema` */
export const asOptions: Spelling = {
  path: dotted,
  setting: (name, value) => `${name}: '${value}'`,
};

/** `budget_usd`, `tools[0].name`; also the arguments of MCP tools. */
export const asJson: Spelling = {
  path([name = '', ...inner]: Path) {
    const first = String(name);
    return dotted([isOption(first) ? keyName(first) : first, ...inner]);
  },
  setting: (name, value) => `${asJson.path([name])}: ${JSON.stringify(value)}`,
};
