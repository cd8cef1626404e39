import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { TurnoutCommand } from '../base.js';
import { shownBytes } from '../sizes.js';
import { onStore, STORE_AT, shownContents, storeAt } from '../store-at.js';

export default class StoreBackup extends TurnoutCommand {
  static override summary = 'Copy a store into one file, as it is at one moment.';
  static override description =
    'May run beside the server that works with it. The copy is private (0600) and is checked.';
  static override args = { file: Args.string({ description: 'the copy', required: true }) };
  static override flags = { ...STORE_AT, force: Flags.boolean({ summary: 'replace the file if it exists' }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(StoreBackup);
    const { backupStore } = await import('../../runs/store/copy-store.js');
    const made = await onStore(backupStore(await storeAt(flags), args.file, flags.force));
    const words = `${made.to}: ${shownBytes(made.bytes)}, ${shownContents(made)}`;
    await this.print(`${flags.json ? JSON.stringify({ v: 1, ...made }) : words}\n`);
  }
}
