import * as Args from '@oclif/core/args';
import { UsageError } from '../../contract/error.js';
import { readConfig } from '../../registry/config.js';
import { SETTINGS, unknownKey } from '../../registry/settings/validate.js';
import { at } from '../../text/json.js';
import { TurnoutCommand } from '../base.js';
import { configPlaces } from '../config-files.js';

export default class ConfigGet extends TurnoutCommand {
  static override summary = 'Print one setting as it holds in this folder; exit code 1 when it is not set.';
  static override examples = ['<%= config.bin %> config get runtime'];
  static override args = { key: Args.string({ description: 'such as access, or orgs.review.goal', required: true }) };

  async run(): Promise<void> {
    const { args } = await this.parse(ConfigGet);
    const path = args.key.split('.');
    if (!SETTINGS.has(path[0] ?? '')) throw new UsageError(unknownKey(path[0] ?? ''), { hint: 'turnout config list' });
    const value = at((await readConfig(configPlaces())).values, ...path);
    if (value === undefined) process.exitCode = 1;
    else await this.print(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
  }
}
