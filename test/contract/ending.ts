/** How the tests of the rules look at the end of a turn. */

import * as assert from 'uvu/assert';
import type { JsonObject } from '../../src/contract/vocabulary.js';
import { type Ended, isType, leftovers, type Running } from './cli.js';

export const linux = process.platform === 'linux';

export const errorCode = (events: readonly JsonObject[]) => events.find(isType('error'))?.['code'];

/** Waits for the end under the watchdog: it came by itself, and nothing is left. */
export async function endsByItself(running: Running): Promise<Ended> {
  running.watch();
  const ended = await running.ended;
  assert.not.ok(ended.late, 'had to be ended by the watchdog');
  assert.equal(await leftovers(running.place.mark), [], 'something is left');
  return ended;
}
