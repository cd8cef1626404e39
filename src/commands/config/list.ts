import * as Flags from '@oclif/core/flags';
import { textTable } from '../../output/text-table.js';
import { configPaths, readConfigFile } from '../../registry/config.js';
import { settingFaults } from '../../registry/settings/validate.js';
import { oneLine } from '../../text/printable.js';
import { TurnoutCommand } from '../base.js';
import { configPlaces } from '../config-files.js';

const shown = (value: unknown): string => oneLine(typeof value === 'string' ? value : JSON.stringify(value));

export default class ConfigList extends TurnoutCommand {
  static override summary = 'List your settings and the file of each; exit code 1 when a file is not valid.';
  static override examples = ['<%= config.bin %> config list', '<%= config.bin %> config list --json'];
  static override flags = { json: Flags.boolean({ summary: 'one JSON document' }) };

  async run(): Promise<void> {
    const { flags } = await this.parse(ConfigList);
    const files = [];
    for (const { path, level } of configPaths(configPlaces())) {
      const values = await readConfigFile(path);
      if (values !== null) files.push({ path, level, values, faults: await settingFaults(values, level) });
    }
    if (files.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
    if (flags.json) return this.print(`${JSON.stringify({ v: 1, files })}\n`);
    if (files.length === 0) return this.print('Nothing is set. To set something: turnout config set runtime claude\n');
    const rows = files.flatMap(({ values, level }) =>
      Object.entries(values).map(([key, value]) => [oneLine(key), level, shown(value)]),
    );
    const faults = files.flatMap(({ path, faults: found }) => found.map((fault) => `${oneLine(path)}: ${fault}\n`));
    return this.print(textTable([['KEY', 'FILE', 'VALUE'], ...rows]) + faults.join(''));
  }
}
