import { existsSync, statSync } from 'node:fs';
import { TurnoutCommand } from '../base.js';
import { STORE_AT, storeAt } from '../store-at.js';

export default class StorePath extends TurnoutCommand {
  static override summary = 'Print where the store is.';
  static override flags = STORE_AT;

  async run(): Promise<void> {
    const { flags } = await this.parse(StorePath);
    const path = await storeAt(flags);
    const exists = existsSync(path);
    const line = JSON.stringify({ v: 1, path, exists, bytes: exists ? statSync(path).size : null });
    await this.print(`${flags.json ? line : path}\n`);
  }
}
