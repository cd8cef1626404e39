import type { Checked } from '../../runs/store/check-store.js';
import { TurnoutCommand } from '../base.js';
import { shownBytes } from '../sizes.js';
import { onStore, STORE_AT, shownContents, storeAt } from '../store-at.js';

function lines(found: Checked): string[] {
  const { path, ok, problems, notes, bytes, log_bytes, free_bytes, held, holder } = found;
  const sizes = [shownBytes(bytes), `${shownBytes(log_bytes)} in the log`];
  if (free_bytes !== null) sizes.push(`${shownBytes(free_bytes)} free`);
  const who = holder === null ? 'another process' : `process ${holder.pid} on ${holder.host} (${holder.what})`;
  return [
    `${path}: ${ok ? 'no faults found' : 'damaged'}`,
    `  ${sizes.join(', ')}`,
    ...(found.runs === null ? [] : [`  ${shownContents(found)}`]),
    ...(held ? [`  held by ${who}`] : []),
    ...notes.map((note) => `  note: ${note}`),
    ...problems.map((problem) => `  fault: ${problem}`),
    ...(ok
      ? []
      : ['', 'turnout store restore FILE puts a backup in its place; with --new the next server begins a new store.']),
  ];
}

export default class StoreCheck extends TurnoutCommand {
  static override summary = 'Look a store over; exits with 1 when something is wrong with it.';
  static override description =
    'Reads the whole file, changes nothing, and may run beside the server that works with it.';
  static override flags = STORE_AT;

  async run(): Promise<void> {
    const { flags } = await this.parse(StoreCheck);
    const { checkStore } = await import('../../runs/store/check-store.js');
    const found = await onStore(checkStore(await storeAt(flags)));
    process.exitCode = found.ok ? 0 : 1;
    await this.print(flags.json ? `${JSON.stringify({ v: 1, ...found })}\n` : `${lines(found).join('\n')}\n`);
  }
}
