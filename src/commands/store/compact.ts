import { TurnoutCommand } from '../base.js';
import { shownBytes } from '../sizes.js';
import { onStore, STORE_AT, storeAt } from '../store-at.js';

export default class StoreCompact extends TurnoutCommand {
  static override summary = 'Give back the room in a store that nothing uses. No server may be working with it.';
  static override flags = STORE_AT;

  async run(): Promise<void> {
    const { flags } = await this.parse(StoreCompact);
    const { compactStore } = await import('../../runs/store/copy-store.js');
    const done = await onStore(compactStore(await storeAt(flags)));
    const words = `${done.path}: ${shownBytes(done.bytes_before)} before, ${shownBytes(done.bytes_after)} now`;
    await this.print(`${flags.json ? JSON.stringify({ v: 1, ...done }) : words}\n`);
  }
}
