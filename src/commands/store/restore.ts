import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../../contract/error.js';
import { TurnoutCommand } from '../base.js';
import { onStore, STORE_AT, shownContents, storeAt } from '../store-at.js';

export default class StoreRestore extends TurnoutCommand {
  static override summary = 'Put a backup in the place of a store; what was there is set aside, not removed.';
  static override args = { file: Args.string({ description: 'what turnout store backup made' }) };
  static override flags = {
    ...STORE_AT,
    new: Flags.boolean({ summary: 'no backup: the next server begins a new store', default: false }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(StoreRestore);
    if ((args.file === undefined) !== flags.new) throw new UsageError('give either the file of a backup or --new');
    const { restoreStore } = await import('../../runs/store/copy-store.js');
    const done = await onStore(restoreStore(await storeAt(flags), args.file ?? null));
    const words = [
      ...(done.aside === null ? [] : [`the store that was there is ${done.aside}`]),
      done.from === null
        ? `the next server begins a new store in ${done.path}`
        : `${done.path}: ${shownContents(done)}`,
    ];
    await this.print(flags.json ? `${JSON.stringify({ v: 1, ...done })}\n` : `${words.join('\n')}\n`);
  }
}
