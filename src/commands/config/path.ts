import { TurnoutCommand } from '../base.js';
import { configFile, PROJECT_FLAG } from '../config-files.js';

export default class ConfigPath extends TurnoutCommand {
  static override summary = 'Print the path of your configuration file, whether it exists or not.';
  static override examples = ['<%= config.bin %> config path', '<%= config.bin %> config path --project'];
  static override flags = PROJECT_FLAG;

  async run(): Promise<void> {
    const { flags } = await this.parse(ConfigPath);
    await this.print(`${configFile(flags.project === true).path}\n`);
  }
}
