import { readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../contract/error.js';
import type { Json } from '../../contract/vocabulary.js';
import { makeFolder } from '../../process/make-folder.js';
import { readConfigFile } from '../../registry/config.js';
import { byId, nearest } from '../../registry/registry.js';
import { edited, parseCommented } from '../../registry/settings/edit.js';
import { SETTINGS, settingFaults, settingValue, unknownKey } from '../../registry/settings/validate.js';
import { runtimesOf } from '../../request/runtimes.js';
import { isObject } from '../../text/json.js';
import { TurnoutCommand } from '../base.js';
import { configFile, PROJECT_FLAG } from '../config-files.js';
import { commandRunners } from '../own-runners.js';

/** @throws UsageError for an id that no runtime has */
async function checkRuntimes(key: string, value: Json): Promise<void> {
  const ids = key === 'runtime' && typeof value === 'string' ? runtimesOf(value) : key === 'runtimes' ? value : [];
  if (!Array.isArray(ids)) return;
  const { runners } = await commandRunners([], { lenient: true });
  for (const id of ids) {
    if (typeof id !== 'string' || id === 'auto' || /^(?:acp|replay):/.test(id) || byId(id, runners)) continue;
    const [guess] = nearest(id, runners);
    const hint = guess === undefined ? '' : `; did you mean ${guess}?`;
    throw new UsageError(`unknown runtime ${JSON.stringify(id)}${hint}`, { hint: 'turnout agent scan' });
  }
}

/** By rename, so that nobody reads half of it; a link stays a link, and the mode stays what it was. */
async function replace(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  );
  makeFolder(dirname(target));
  const scratch = `${target}.${process.pid}`;
  await writeFile(scratch, text, { mode });
  await rename(scratch, target);
}

export default class ConfigSet extends TurnoutCommand {
  static override summary = 'Change one setting; comments and layout of the file stay.';
  static override description =
    `The file is checked against the published schema before it is written. Keys: ${[...SETTINGS.keys()].filter((key) => key !== '$schema').join(', ')}.`;
  static override examples = [
    '<%= config.bin %> config set runtime claude',
    '<%= config.bin %> config set access edit',
    '<%= config.bin %> config set runtimes claude codex --project',
    '<%= config.bin %> config set access --unset',
  ];
  static override usage = 'config set KEY VALUE… [--project] | config set KEY --unset';
  static override strict = false;
  static override args = {
    key: Args.string({ description: 'such as access, or orgs.review.goal', required: true }),
    value: Args.string({ description: 'a text, a number, several words for a list, or JSON' }),
  };
  static override flags = { ...PROJECT_FLAG, unset: Flags.boolean({ summary: 'remove the setting' }) };

  async run(): Promise<void> {
    const { args, argv, flags } = await this.parse(ConfigSet);
    const words = argv.slice(1).map(String);
    const path = args.key.split('.');
    const [key = ''] = path;
    if (!SETTINGS.has(key)) throw new UsageError(unknownKey(key), { hint: 'turnout config set --help' });
    if (Boolean(flags.unset) !== (words.length === 0)) {
      throw new UsageError(flags.unset ? '--unset takes no value' : `the value of ${args.key} is missing`, {
        hint: 'turnout config set --help',
      });
    }
    const value = flags.unset ? undefined : settingValue(path.length === 1 ? key : '', words);
    if (value !== undefined) await checkRuntimes(args.key, value);
    const { path: file, level } = configFile(flags.project === true);
    const found = await readConfigFile(file);
    const before = found ?? {};
    const text = found === null ? '' : await readFile(file, 'utf8');
    const after = edited(text, path, value);
    const values = parseCommented(after.replace(/^\uFEFF/, ''));
    const old = await settingFaults(before, level);
    const faults = isObject(values) ? (await settingFaults(values, level)).filter((fault) => !old.includes(fault)) : [];
    if (faults.length > 0) throw new UsageError(`${args.key} was not changed: ${faults.join('; ')}`);
    await replace(file, after);
  }
}
