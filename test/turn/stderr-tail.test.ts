/** What is kept of a runtime's stderr. */

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { stderrTail } from '../../src/turn/stderr-tail.js';

test('lines are kept without the blanks that fill them, and empty ones not at all', () => {
  const tail = stderrTail();
  for (const line of ['one   ', '', '   ', '  two\t']) tail.add(line);
  assert.is(tail.text(), 'one\n  two');
});

test('of much, the beginning and the end', () => {
  const tail = stderrTail();
  for (let n = 0; n < 2000; n++) tail.add(`line ${n}`);
  assert.ok(tail.text().startsWith('line 0\n'));
  assert.ok(tail.text().endsWith('line 1999'));
  assert.match(tail.text(), /\n…\n/);
});

test.run();
