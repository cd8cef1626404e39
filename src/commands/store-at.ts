/** What the commands about a store share: which file is meant, and how its troubles are reported. */

import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { UsageError } from '../contract/error.js';

export const STORE_AT = {
  store: Flags.string({ summary: 'the file (default: the store of `turnout agent serve`)', helpValue: 'PATH' }),
  acp: Flags.boolean({ summary: 'the store of `turnout acp`', exclusive: ['store'] }),
  json: Flags.boolean({ summary: 'one JSON object' }),
};

/** The file that the flags mean. @throws UsageError */
export async function storeAt(flags: { store: string | undefined; acp: boolean }): Promise<string> {
  if (flags.store === 'memory') throw new UsageError('--store: a store in memory has no file');
  if (flags.store === '') throw new UsageError('--store is empty');
  if (flags.store !== undefined) return resolve(flags.store);
  if (flags.acp) return (await import('../serve/acp/serve.js')).acpStore(process.env);
  return (await import('../serve/open-core.js')).defaultStore(process.env);
}

/** What the store's own rooms throw becomes an error of the command line. */
export async function onStore<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && error.name === 'StoreError') throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** `12 runs, 3 sessions, 812 events` */
export function shownContents(of: { runs: number | null; sessions: number | null; events: number | null }): string {
  const one = (count: number | null, word: string) => `${count ?? '?'} ${word}${count === 1 ? '' : 's'}`;
  return `${one(of.runs, 'run')}, ${one(of.sessions, 'session')}, ${one(of.events, 'event')}`;
}
