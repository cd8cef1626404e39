import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { outliveFaults } from '../../src/runs/lifetime.js';

const before = { thrown: process.listeners('uncaughtException'), rejected: process.listeners('unhandledRejection') };

test.after(() => {
  for (const one of process.listeners('uncaughtException'))
    if (!before.thrown.includes(one)) process.off('uncaughtException', one);
  for (const one of process.listeners('unhandledRejection'))
    if (!before.rejected.includes(one)) process.off('unhandledRejection', one);
});

test('a server outlives a stderr whose reader is gone, and says nothing more to it', () => {
  const said: string[] = [];
  outliveFaults((text) => said.push(text));
  // An error event without a listener is thrown.
  process.stderr.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  assert.equal(said, []);
});

test.run();
