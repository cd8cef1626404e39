/** What every implementation of the ports must do. */

import { suite } from 'uvu';
import { callers } from './conformance/callers.js';
import { commands } from './conformance/commands.js';
import { feeds } from './conformance/feeds.js';
import { lifecycle } from './conformance/lifecycle.js';
import { order } from './conformance/order.js';
import { rewind } from './conformance/rewind.js';
import { type Make, worlds } from './conformance/worlds.js';

/** @param make a fresh world for each test */
export function conformance(name: string, make: Make): void {
  const tests = suite(name);
  const on = worlds(make);
  for (const part of [lifecycle, order, commands, callers, feeds, rewind]) part(tests, on);
  tests.run();
}
